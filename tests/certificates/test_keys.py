"""Ed25519 keys: RFC 8032's vectors through files as other tools write them, and files that are not keys."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from certify.certificates.keys import key_id, new_key, read_private_key, read_public_key
from certify.cli import main
from certify.commands.keygen import passphrase
from certify.errors import UnusableInput

# RFC 8032, 7.1, tests 1 to 3: secret key, public key, message, signature.
VECTORS = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
)
PRIVATE_START, PUBLIC_START = ("302e020100300506032b657004220420", "302a300506032b6570032100")
"""The DER of RFC 8410 up to the 32 bytes of a key."""


def pem(kind: str, der: str) -> bytes:
    """A PEM file, as openssl writes it."""
    body = base64.b64encode(bytes.fromhex(der)).decode()
    return f"-----BEGIN {kind} KEY-----\n{body}\n-----END {kind} KEY-----\n".encode()


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
def test_the_vectors_of_rfc_8032(secret: str, public: str, message: str, signature: str, tmp_path: Path) -> None:
    """Keys in files as RFC 8410 has them; the id is the SHA-256 of the raw public key."""
    (tmp_path / "k.key").write_bytes(pem("PRIVATE", PRIVATE_START + secret))
    (tmp_path / "k.pub").write_bytes(pem("PUBLIC", PUBLIC_START + public))
    key, opened = (read_private_key(tmp_path / "k.key"), read_public_key(tmp_path / "k.pub"))
    assert key.sign(bytes.fromhex(message)).hex() == signature
    opened.verify(bytes.fromhex(signature), bytes.fromhex(message))
    assert key_id(opened) == key_id(key.public_key()) == hashlib.sha256(bytes.fromhex(public)).hexdigest()


def test_files_are_as_other_tools_read_them() -> None:
    """PKCS#8 and SubjectPublicKeyInfo in PEM; each key is new."""
    private, public, identity = new_key()
    lines = private.splitlines()
    assert lines[0] == b"-----BEGIN PRIVATE KEY-----"
    assert base64.b64decode(lines[1]).hex().startswith(PRIVATE_START)
    raw = base64.b64decode(public.splitlines()[1])
    assert raw.hex().startswith(PUBLIC_START) and hashlib.sha256(raw[-32:]).hexdigest() == identity
    assert new_key(b"secret")[0].startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert len({new_key()[2] for _ in range(5)}) == 5


NEITHER = {
    "empty": b"",
    "bytes": bytes(range(256)),
    "text": b"certify\n",
    "cut off": new_key()[1][:60],
    "no key inside": b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    "a public key of 31 bytes": pem("PUBLIC", "3029300506032b6570032000" + "11" * 31),
    "a certificate": b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "too long": b"#" * 20_000 + new_key()[1],
}


@pytest.mark.parametrize("name", NEITHER)
def test_files_that_are_not_keys(name: str, tmp_path: Path) -> None:
    (tmp_path / "k").write_bytes(NEITHER[name])
    with pytest.raises(UnusableInput, match=r"k: not a private key in PEM \(PKCS#8\), or a wrong passphrase$"):
        read_private_key(tmp_path / "k")
    with pytest.raises(UnusableInput, match=r"k: not a public key in PEM \(SubjectPublicKeyInfo\)$"):
        read_public_key(tmp_path / "k")


def test_a_folder_is_no_key(tmp_path: Path) -> None:
    for read in (read_private_key, read_public_key):
        with pytest.raises(UnusableInput, match="cannot be read: Is a directory"):
            read(tmp_path)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"secret", b"secret"),
        (b"secret\n", b"secret"),
        (b"secret\r\nmore\n", b"secret"),
        (b" \xff\x00 \n", b" \xff\x00 "),
    ],
)
def test_a_passphrase_is_the_first_line(content: bytes, found: bytes, tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(content)
    assert passphrase(str(tmp_path / "p")) == found
    assert passphrase(None) is None
    read_back = tmp_path / "k.key"
    read_back.write_bytes(new_key(found)[0])
    assert read_private_key(read_back, found)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is empty"), (b"\nsecret\n", "is empty"), (b"x" * 1024, "longer than 1023 bytes"), (b"x" * 9999, "longer")],
)
def test_passphrases_that_cannot_be_used(
    content: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p").write_bytes(content)
    assert main(["keygen", "-o", str(tmp_path / "a"), "--passphrase-file", str(tmp_path / "p")]) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
    assert main(["keygen", "-o", str(tmp_path / "a"), "--passphrase-file", str(tmp_path / "none")]) == 2
    assert "none: cannot be read: No such file" in capsys.readouterr().err


def test_the_longest_passphrase_is_taken(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"x" * 1023 + b"\n")
    assert main(["keygen", "-o", str(tmp_path / "a"), "--passphrase-file", str(tmp_path / "p")]) == 0
    assert read_private_key(tmp_path / "a.key", b"x" * 1023)


def test_a_private_key_is_for_its_owner_and_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mode 600 whatever the umask; neither file is replaced, and nothing is left beside them."""
    before = os.umask(0)
    try:
        assert main(["keygen", "-o", str(tmp_path / "a")]) == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.key").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.key", "a.pub"]
    said = capsys.readouterr().out
    assert said.endswith(f"key id {key_id(read_public_key(tmp_path / 'a.pub'))}\n") and said.count("\n") == 1
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name in ("a.key", "a.pub"):
        assert main(["keygen", "-o", str(tmp_path / "a")]) == 2
        assert "exists already, and is not replaced" in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
        (tmp_path / name).unlink()
        del kept[name]
    assert main(["keygen", "-o", str(tmp_path / "none" / "a")]) == 2
    assert "cannot be written: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["keygen -o a", "sign a.json --key a.key", "verify a.json --key a.pub"])
def test_commands_without_the_library_say_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert main(command.split()) == 2
    assert "pip install 'certify-dp[sign]'" in capsys.readouterr().err
