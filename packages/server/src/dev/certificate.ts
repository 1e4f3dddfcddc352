import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Certificate } from '@matchyard/orchestrator/process'
import { makePrivateFolder, writePrivately } from '../service/private-files'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Days for which a certificate of `dev` is valid. Browsers refuse longer ones, even where a person trusts them. */
const VALID_DAYS = 365
/** Days before its end at which the certificate is replaced. */
const RENEWED_DAYS = 30

/** Kinds of names in a certificate (RFC 5280). */
const [DNS, IP] = [2, 7] as const

/**
 * Returns the certificate of `dev` for these host names and IP addresses. No authority signed it, so browsers accept it only when a person
 * tells them to. It is made at the first start, and made anew when a host is missing in it, when it ends soon, and when its files are
 * damaged.
 */
export async function devCertificate(directory: string, hosts: readonly string[], now: number): Promise<Certificate> {
  const folder = join(directory, 'certificate')
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  if (isGood(files, hosts, now)) return files
  // The library is loaded only when it is needed, so that `dev` starts fast.
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'Matchyard dev' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) === 0 ? { type: DNS, value: host } : { type: IP, ip: host })),
      },
    ],
  })
  makePrivateFolder(folder)
  writePrivately(files.keyFile, made.private)
  writePrivately(files.certFile, made.cert)
  return files
}

function isGood({ certFile, keyFile }: Certificate, hosts: readonly string[], now: number): boolean {
  if (!existsSync(certFile) || !existsSync(keyFile)) return false
  try {
    const certificate = new X509Certificate(readFileSync(certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) return false
    const names = (host: string) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host))
    return hosts.every(names) && Date.parse(certificate.validTo) - now > RENEWED_DAYS * DAY_MS
  } catch {
    return false
  }
}
