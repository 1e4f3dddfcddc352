import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StorageUnavailable } from '@matchyard/core/ports'
import { skipWithout } from '@matchyard/tooling/needs'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { inspectPostgres, postgresAddress, postgresStorage } from '../src/index'
import { otherUser, startServer, type TestServer } from '../src/testing/server'

const run = promisify(execFile)
/** Name of the server in its certificate. No certificate names `ADDRESS`. */
const NAME = 'localhost'
const ADDRESS = '127.0.0.1'

let folder: string
let port: number
let server: TestServer | undefined
let whyNot = ''

const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const inFolder = (name: string) => join(folder, name)

/**
 * Creates a certificate for a name, signed by the authority `ca`. `dates` are openssl's options for the period of
 * validity.
 */
async function signed(file: string, name: string, ...dates: string[]): Promise<void> {
  writeFileSync(inFolder('names'), `subjectAltName=DNS:${name}`)
  await openssl('req', ...KEY, '-subj', `/CN=${name}`, '-keyout', `${file}.key`, '-out', `${file}.csr`)
  const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', ...dates]
  await openssl('x509', '-req', '-in', `${file}.csr`, ...by, '-out', `${file}.crt`)
}

/** Copies a certificate to the file from which the server reads it when it starts. */
function wear(file: string): void {
  const user = otherUser()
  for (const kind of ['crt', 'key']) {
    const place = inFolder(`worn.${kind}`)
    copyFileSync(inFolder(`${file}.${kind}`), place)
    chmodSync(place, 0o600)
    if (user !== undefined) chownSync(place, user.uid, user.gid)
  }
}

async function freePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, ADDRESS, resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Contents of the server's `pg_hba.conf`, which has the rules for connections. */
const HBA = {
  'TLS alone': `local all all trust\nhostssl all all ${ADDRESS}/32 trust\n`,
  anyhow: `local all all trust\nhost all all ${ADDRESS}/32 trust\n`,
}

async function started(tls: 'on' | 'off', hba: keyof typeof HBA): Promise<TestServer> {
  const file = inFolder(`hba-${tls}.conf`)
  writeFileSync(file, HBA[hba])
  chmodSync(file, 0o644)
  port = await freePort()
  const files = tls === 'on' ? [`ssl_cert_file=${inFolder('worn.crt')}`, `ssl_key_file=${inFolder('worn.key')}`] : []
  return startServer([`listen_addresses=${ADDRESS}`, `port=${port}`, `ssl=${tls}`, `hba_file=${file}`, ...files])
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'matchyard-tls-'))
  chmodSync(folder, 0o755)
  try {
    for (const ca of ['ca', 'other'])
      await openssl(
        'req',
        '-x509',
        ...KEY,
        '-days',
        '2',
        '-subj',
        `/CN=${ca}`,
        '-keyout',
        `${ca}.key`,
        '-out',
        `${ca}.crt`,
      )
    await signed('good', NAME, '-days', '2')
    await signed('expired', NAME, '-days', '-1')
  } catch (error) {
    whyNot = String(error)
    return
  }
  wear('good')
  server = await started('on', 'TLS alone')
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const need = (context: TestContext) => {
  if (whyNot !== '') skipWithout(context, 'openssl', whyNot)
}

const urlOf = (parameters: string, host: string = NAME) => `postgres://postgres@${host}:${port}/postgres?${parameters}`
const CA = () => `sslrootcert=${inFolder('ca.crt')}`

/** Returns whether the server sees the connection as encrypted, or the message of its refusal. */
async function tried(url: string): Promise<boolean | string> {
  const client = new Client(postgresAddress(url))
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0].ssl
  } catch {
    return inspectPostgres({ url }).then(
      () => 'it answers at the second attempt',
      (error: unknown) => {
        expect(error).toBeInstanceOf(StorageUnavailable)
        return (error as Error).message
      },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

test('each sslmode is what libpq makes of it', async (context) => {
  need(context)
  const demands = expect.stringMatching(/lets nobody in without TLS: give sslmode=require.*no encryption/)
  expect(await tried(urlOf('sslmode=disable'))).toEqual(demands)
  expect(await tried(urlOf('application_name=x'))).toEqual(demands)
  // libpq would try a second time, with TLS; the adapter does not.
  expect(await tried(urlOf('sslmode=allow'))).toEqual(demands)
  for (const mode of ['prefer', 'require', 'no-verify']) expect(await tried(urlOf(`sslmode=${mode}`))).toBe(true)
  for (const host of [NAME, ADDRESS]) {
    expect(await tried(urlOf('sslmode=require', host))).toBe(true)
    // If the URL names an authority, `require` means `verify-ca`: any server name is accepted.
    expect(await tried(urlOf(`sslmode=require&${CA()}`, host))).toBe(true)
    expect(await tried(urlOf(`sslmode=verify-ca&${CA()}`, host))).toBe(true)
  }
  expect(await tried(urlOf(`sslmode=verify-full&${CA()}`))).toBe(true)
  // If the URL names an authority and no mode, the mode is `verify-full`.
  expect(await tried(urlOf(CA()))).toBe(true)
  expect(await tried(urlOf(`${CA()}&application_name=x&uselibpqcompat=true&sslmode=verify-full`))).toBe(true)
})

test('a store works with TLS, its signals and its migration as well', async (context) => {
  need(context)
  const storage = postgresStorage({ url: urlOf(`sslmode=verify-full&${CA()}`), schema: 'by_tls' })
  await storage.migrate()
  await storage.ping()
  await storage.close()
})

test('an authority that is not known is told with what mends it', async (context) => {
  need(context)
  const unknown = expect.stringMatching(
    /^PostgreSQL: its certificate is of no authority that is known here: .*sslrootcert=.*sslmode=require/,
  )
  expect(await tried(urlOf('sslmode=verify-full'))).toEqual(unknown)
  expect(await tried(urlOf('sslmode=verify-full&sslrootcert=system'))).toEqual(unknown)
  const other = `sslrootcert=${inFolder('other.crt')}`
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(await tried(urlOf(`sslmode=${mode}&${other}`))).toEqual(unknown)
})

test('a certificate for another name is told with what mends it', async (context) => {
  need(context)
  expect(await tried(urlOf(`sslmode=verify-full&${CA()}`, ADDRESS))).toMatch(
    /^PostgreSQL: its certificate is for another name: .*sslmode=verify-ca/,
  )
})

test('a certificate that has expired is told, and is good where nobody looks at it', async (context) => {
  need(context)
  wear('expired')
  await server?.restart()
  expect(await tried(urlOf(`sslmode=verify-full&${CA()}`))).toMatch(
    /^PostgreSQL: its certificate has expired: .*new one/,
  )
  expect(await tried(urlOf('sslmode=require'))).toBe(true)
})

test('a server without TLS is told with what mends it', async (context) => {
  need(context)
  const withTls = port
  const plain = await started('off', 'anyhow')
  try {
    for (const mode of ['disable', 'allow']) expect(await tried(urlOf(`sslmode=${mode}`))).toBe(false)
    for (const mode of ['prefer', 'require', 'verify-full'])
      expect(await tried(urlOf(`sslmode=${mode}`))).toMatch(/^PostgreSQL: the server has no TLS: .*sslmode=disable/)
    // A connection through a socket file has no TLS, and the mode in the URL is ignored.
    expect(await tried(`${plain.url}&sslmode=require`)).toBe(false)
  } finally {
    port = withTls
    await plain.stop()
  }
})

test('what a URL says wrongly of TLS is refused before anything is connected to', () => {
  const refused = (parameters: string) => () => postgresAddress(`postgres://u:secret@host/db?${parameters}`)
  expect(refused('sslmode=on')).toThrow(
    'its sslmode is not known; give one of disable, allow, prefer, require, verify-ca',
  )
  expect(refused('sslmode=verify-ca')).toThrow('sslmode=verify-ca needs sslrootcert')
  expect(refused('sslrootcert=/nowhere/ca.pem')).toThrow(
    'the file of sslrootcert, "/nowhere/ca.pem", cannot be read (ENOENT)',
  )
  expect(() => postgresStorage({ url: 'postgres://u:se#cret@host/db' })).toThrow(StorageUnavailable)
  expect(() => postgresStorage({ url: 'postgres://u:se#cret@host/db' })).toThrow(/percent-encode/)
})

test('the rest of a URL is left to the driver as it was written', () => {
  const url = 'postgres://u:p%40ss@host:1/db?application_name=a%20b'
  expect(postgresAddress(url)).toEqual({ connectionString: url })
  expect(postgresAddress(`${url}&sslmode=disable&options=-c%20x%3D1`)).toEqual({
    connectionString: `${url}&options=-c%20x%3D1`,
    ssl: false,
  })
})
