// Certificate and key of the machine, which are read again when their files change.
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** The most bytes that are read of a file with a certificate chain or a key. */
const MAX_BYTES = 256 * 1024

export class FollowedCertificate {
  /** Options of `tls` with the certificate and the key in use. */
  options
  #files
  #seen

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
      complain(`${error.message}; the certificate that was read before stays in use`)
      return undefined
    }
  }

  #load() {
    const [cert, key] = [this.#read(this.#files.certFile, 'certificate'), this.#read(this.#files.keyFile, 'key')]
    try {
      createSecureContext({ cert, key })
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
        const found = statSync(path, { throwIfNoEntry: false })
        return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs}`
      })
      .join()
  }
}
