// Certificate and key of the machine, which are read again when their files change.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** The most bytes that are read of a file with a certificate chain or a key. */
const MAX_BYTES = 256 * 1024

export class FollowedCertificate {
  /** Options of `tls` with the certificate and the key in use. */
  options
  #files
  #seen
  /** Files about which the last complaint was: one pair that cannot be used is one complaint, however often it is looked at. */
  #complainedAbout

  /** Throws an error with a sentence for the operator when the files cannot be used. */
  constructor(files) {
    this.#files = files
    this.#seen = this.#marks()
    this.options = this.#load()
  }

  /**
   * Returns the new options when the files have changed and belong together; otherwise undefined. While somebody replaces the two files,
   * the key may not belong to the certificate: the old pair stays in use, and the next look tries again.
   */
  look(complain) {
    const marks = this.#marks()
    if (marks === this.#seen) return undefined
    try {
      this.options = this.#load()
      this.#seen = marks
      return this.options
    } catch (error) {
      if (marks !== this.#complainedAbout)
        complain(`${error.message}; the certificate that was read before stays in use`)
      this.#complainedAbout = marks
      return undefined
    }
  }

  #load() {
    const [cert, key] = [this.#read(this.#files.certFile, 'certificate'), this.#read(this.#files.keyFile, 'key')]
    try {
      createSecureContext({ cert, key })
      // OpenSSL keeps one key for each kind of keys, and so takes an RSA certificate with a key of elliptic curves.
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('key values mismatch')
    } catch (error) {
      throw new Error(
        `the certificate ${this.#files.certFile} cannot be used with the key ${this.#files.keyFile} (${error.message})`,
      )
    }
    return { cert, key }
  }

  #read(path, what) {
    try {
      if (statSync(path).size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES / 1024} kB`)
      return readFileSync(path)
    } catch (error) {
      throw new Error(`the ${what} ${path} cannot be read (${error.code ?? error.message})`)
    }
  }

  #marks() {
    return [this.#files.certFile, this.#files.keyFile]
      .map((path) => {
        try {
          const { ino, size, mtimeMs } = statSync(path)
          return `${ino} ${size} ${mtimeMs}`
        } catch (error) {
          return error.code
        }
      })
      .join()
  }
}
