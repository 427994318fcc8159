"""Make kg/data/neo4j.lock: resolve the roots with the machine's Maven and write down every jar.

Run it by hand to move to another release of Neo4j, and read the difference before committing it::

    python scripts/lock_neo4j.py --server 5.26.31 --browser 5.24.0
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from kg.neo4j_fetch import maven_command
from kg.neo4j_lock import Jar, Lock

TARGET = Path(__file__).resolve().parents[1] / "kg" / "data" / "neo4j.lock"


def main() -> None:
    """Resolve and write; prints what it wrote."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="5.26.31", help="version of org.neo4j:neo4j")
    parser.add_argument("--browser", default="5.24.0", help="version of org.neo4j.client:neo4j-browser")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    roots = (f"org.neo4j:neo4j:{options.server}", f"org.neo4j.client:neo4j-browser:{options.browser}")
    lock = resolve(roots)
    options.output.write_text(lock.text, encoding="utf-8")
    megabytes = sum(jar.size for jar in lock.jars) / 1e6
    print(f"{options.output}: {len(lock.jars)} jars, {megabytes:.0f} MB, digest {lock.digest[:12]}")


def resolve(roots: tuple[str, ...]) -> Lock:
    """Let Maven resolve ``roots`` and describe the result."""
    with tempfile.TemporaryDirectory() as folder:
        pom, repository = Path(folder, "pom.xml"), Path(folder, "jars")
        pom.write_text(_pom(roots), encoding="utf-8")
        subprocess.run(maven_command("mvn", pom, repository), check=True)
        jars = [_describe(path, repository) for path in repository.rglob("*.jar")]
    return Lock(roots, tuple(sorted(jars, key=lambda jar: jar.coordinate)))


def _pom(roots: tuple[str, ...]) -> str:
    tags = ("groupId", "artifactId", "version")
    blocks = [
        "<dependency>"
        + "".join(f"<{tag}>{escape(part)}</{tag}>" for tag, part in zip(tags, root.split(":"), strict=True))
        + "</dependency>"
        for root in roots
    ]
    return (
        "<project><modelVersion>4.0.0</modelVersion><groupId>corpusgraph</groupId>"
        "<artifactId>neo4j-runtime</artifactId><version>1</version>"
        f"<dependencies>{''.join(blocks)}</dependencies></project>"
    )


def _describe(path: Path, repository: Path) -> Jar:
    *group, artifact, version, name = path.relative_to(repository).parts
    classifier = name.removesuffix(".jar").removeprefix(f"{artifact}-{version}").removeprefix("-")
    content = path.read_bytes()
    return Jar(
        ".".join(group), artifact, version, classifier, hashlib.sha256(content).hexdigest(), len(content)
    )


if __name__ == "__main__":
    main()
