"""Ed25519 keys: made, read from PEM files, named by the SHA-256 of the raw public key."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from certify.errors import MissingExtra, UnusableInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_LONGEST = 10_000


def require_cryptography() -> None:
    """Raises MissingExtra, saying what to install, where the library is absent."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "signing needs the library cryptography: pip install 'certify-dp[sign]'; checking unsigned certificates "
            "does not"
        ) from None


def new_key(passphrase: bytes | None = None) -> tuple[bytes, bytes, str]:
    """A private key (PKCS#8 PEM, encrypted where there is a passphrase), its public key (SPKI PEM), and the key id."""
    require_cryptography()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    locked: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase is not None:
        locked = serialization.BestAvailableEncryption(passphrase)
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, public, key_id(key.public_key())


def key_id(key: Ed25519PublicKey) -> str:
    """SHA-256 of the 32 raw bytes of a public key."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()


def read_private_key(path: Path, passphrase: bytes | None = None) -> Ed25519PrivateKey:
    """The private key in a PEM file. Raises UnusableInput for anything else."""
    require_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(_content(path), passphrase)
    except TypeError:
        needed = "needs its passphrase: --passphrase-file" if passphrase is None else "has no passphrase: leave it out"
        raise UnusableInput(f"this private key {needed}", file=str(path)) from None
    except (ValueError, UnsupportedAlgorithm):
        raise UnusableInput("not a private key in PEM (PKCS#8), or a wrong passphrase", file=str(path)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UnusableInput("not an Ed25519 key; `certify keygen` makes one", file=str(path))
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """The public key in a PEM file. Raises UnusableInput for anything else, a private key among it."""
    require_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    content = _content(path)
    if b"PRIVATE KEY" in content:
        raise UnusableInput("a private key; checking needs the public one (.pub)", file=str(path))
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise UnusableInput("not a public key in PEM (SubjectPublicKeyInfo)", file=str(path)) from None
    if not isinstance(key, Ed25519PublicKey):
        raise UnusableInput("not an Ed25519 key; `certify keygen` makes one", file=str(path))
    return key


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST)
    except (OSError, ValueError) as error:
        raise UnusableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=str(path)) from None
