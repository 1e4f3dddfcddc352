import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { certificateFault } from '@matchyard/orchestrator/process'
import { type Check, type Finding, fail, ok, warn } from './check'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Days before its end at which a certificate should have been renewed; usual ones are valid for 90 days. */
const SOON_DAYS = 14

/** Returns the finding about a certificate for players who connect to `host` at this time. */
export function judgeCertificate(pem: string | Buffer, host: string | undefined, now: number): Finding {
  const certificate = new X509Certificate(pem)
  const [from, to] = [certificate.validFrom, certificate.validTo].map((date) => Date.parse(date)) as [number, number]
  if (now < from) return fail(`the certificate is valid only from ${new Date(from).toISOString()}`)
  if (now > to) return fail(`the certificate ended on ${new Date(to).toISOString()}; browsers refuse it`)
  if (host !== undefined && !isNamed(certificate, host))
    return fail(
      `the certificate is not for ${host}, to which players connect (it names ${certificate.subjectAltName ?? 'nothing'})`,
      'get a certificate for the name in SERVER_HOST, or set SERVER_HOST to a name of the certificate',
    )
  const days = Math.floor((to - now) / DAY_MS)
  const until = `until ${new Date(to).toISOString()}`
  if (days < SOON_DAYS) return warn(`the certificate is valid only ${until}; renew it`)
  return ok(`ports with TLS have a certificate${host === undefined ? '' : ` for ${host}`}, ${until}`)
}

const isNamed = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined

const gameTls: Check = {
  name: 'game-tls',
  mend: 'export GAME_TLS_CERT_FILE=/etc/letsencrypt/live/play.example.com/fullchain.pem and GAME_TLS_KEY_FILE=…/privkey.pem',
  async look({ faults, config: { certificate, orchestrator, serverHost, publicUrl } }) {
    for (const name of ['GAME_TLS_CERT_FILE', 'GAME_TLS_KEY_FILE'] as const) {
      const fault = faults.get(name)
      if (fault !== undefined) return fail(`${name}: ${fault}`)
    }
    if (orchestrator === 'none' || orchestrator === 'agents') return ok('no game servers are launched here')
    if (orchestrator === 'agones') return ok('TLS of a port is a matter of the game server in a cluster')
    if (certificate === undefined)
      return ok('this machine has no certificate, so queues with tls_enabled get no game servers here')
    const fault = await certificateFault(certificate)
    if (fault !== undefined) return fail(fault)
    const host =
      serverHost ?? (publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|]$/g, ''))
    return judgeCertificate(await readFile(certificate.certFile), host, Date.now())
  },
}

export const CERTIFICATE_CHECKS: readonly Check[] = [gameTls]
