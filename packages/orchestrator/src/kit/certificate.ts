import { createPrivateKey, X509Certificate } from 'node:crypto'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { LaunchSpec } from '@matchyard/core/ports'

/** Files with the certificate of a machine, in PEM. They are read again when they change. */
export interface Certificate {
  /** Path of the certificate, followed by the certificates of its issuers. */
  readonly certFile: string
  /** Path of the private key, which has no passphrase. */
  readonly keyFile: string
}

/** Returns the certificate with absolute paths, because a front runs in another folder; undefined for none. */
export const absoluteCertificate = (certificate: Certificate | undefined): Certificate | undefined =>
  certificate && { certFile: resolve(certificate.certFile), keyFile: resolve(certificate.keyFile) }

/** The most bytes of a file with a certificate or a key; the front of a game server reads no larger file. */
const MAX_BYTES = 256 * 1024

/** Whether players reach a port of the server through TLS. */
export const wantsTls = ({ networkPorts }: Pick<LaunchSpec, 'networkPorts'>): boolean =>
  networkPorts.some(({ tlsEnabled }) => tlsEnabled)

/** Refusal of a launch with TLS ports on a machine without a certificate. */
export const NO_CERTIFICATE =
  'a port of the server has TLS, and this machine has no certificate. Set GAME_TLS_CERT_FILE and GAME_TLS_KEY_FILE'

/** Returns a sentence when the files cannot be used as certificate and key; undefined when they can. */
export async function certificateFault({ certFile, keyFile }: Certificate): Promise<string | undefined> {
  const read = await Promise.all([readPem(certFile, 'certificate'), readPem(keyFile, 'key')])
  const [cert, key] = read
  if (typeof cert === 'string') return cert
  if (typeof key === 'string') return key
  try {
    createSecureContext({ cert, key })
    const first = new X509Certificate(cert as Buffer)
    if (first.checkPrivateKey(createPrivateKey(key as Buffer))) return undefined
    return `the key ${keyFile} does not belong to the certificate ${certFile}`
  } catch (error) {
    return `the certificate ${certFile} cannot be used with the key ${keyFile} (${(error as Error).message})`
  }
}

async function readPem(path: string, what: string): Promise<Buffer | string> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (size > MAX_BYTES) return `the ${what} ${path} is larger than ${MAX_BYTES / 1024} kB`
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    return `the ${what} ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`
  }
}
