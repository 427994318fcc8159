"""The graph schemas that come with the package, one YAML file each (``schemas.schema_files`` reads them)."""
