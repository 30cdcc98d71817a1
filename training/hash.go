package training

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// executableHash is a hash of the running program: what it generates depends on it. It is the content that counts, so
// that "go run", which builds the program into another place every time, finds its cache again.
var executableHash = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return fileHash(path)
})

// fileHash is the SHA-256 of a file's content.
func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
