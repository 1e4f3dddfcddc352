import { generate } from 'selfsigned'
import { beforeAll, expect, it } from 'vitest'
import { judgeCertificate } from '../src/doctor/certificate-checks'

const DAY_MS = 24 * 60 * 60 * 1_000
const FROM = Date.parse('2026-01-01T00:00:00Z')
let pem: string
beforeAll(async () => {
  const names = [{ type: 2, value: '*.play.example.com' } as const, { type: 7, ip: '10.0.0.1' } as const]
  const made = await generate([{ name: 'commonName', value: 'play' }], {
    algorithm: 'sha256',
    notBeforeDate: new Date(FROM),
    notAfterDate: new Date(FROM + 90 * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: names }],
  })
  pem = made.cert
})

const judged = (host: string | undefined, days: number) => judgeCertificate(pem, host, FROM + days * DAY_MS)

it('accepts a certificate for the address of the game servers, by wildcard and by IP address', () => {
  for (const host of ['fra.play.example.com', '10.0.0.1', undefined]) expect(judged(host, 30).status).toBe('ok')
})

it('fails for another address, before its first day and after its last, and warns two weeks before that', () => {
  expect(judged('example.org', 30)).toMatchObject({ status: 'fail', message: expect.stringContaining('example.org') })
  expect(judged('10.0.0.2', 30).status).toBe('fail')
  expect(judged(undefined, -1).message).toBe('the certificate is valid only from 2026-01-01T00:00:00.000Z')
  expect(judged(undefined, 91).status).toBe('fail')
  expect(judged(undefined, 77)).toMatchObject({ status: 'warn', message: expect.stringContaining('renew') })
})
