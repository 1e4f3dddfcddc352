import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Certificate } from '../../kit/certificate'

/** Files of a certificate that is its own issuer, with its text for the callers that trust it. */
export interface TestCertificate extends Certificate {
  readonly ca: string
}

/** Writes a new certificate for `localhost` and 127.0.0.1 with this common name, in place of an earlier one in the folder. */
export async function writeCertificate(folder: string, name: string): Promise<TestCertificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    keySize: 2_048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  await replace(files.keyFile, made.private)
  await replace(files.certFile, made.cert)
  return { ...files, ca: made.cert }
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
