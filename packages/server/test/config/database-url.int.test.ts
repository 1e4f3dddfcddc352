import { expect, test } from 'vitest'
import { ConfigurationError } from '../../src/config/configuration-error'
import { databaseUrl, listenUrl, redacted } from '../../src/config/database-url'
import { readServeConfig, readStorageConfig } from '../../src/config/serve-config'
import { Fault } from '../../src/config/setting'
import { nameOf } from '../../src/operator/on-storage'
import { redactText } from '../../src/service/redact'
import { storageOf } from '../../src/service/storage-url'
import { run } from '../harness/command'
import { temporaryFolder } from '../harness/folder'
import { goodSecret } from '../harness/services'

/** Parts of passwords that occur nowhere else in the output. */
const [FIRST, LAST] = ['zebra', 'quagga']
const AWKWARD = [
  '@',
  '#',
  '/',
  ':',
  '?',
  '%',
  ' ',
  '%zz',
  '%e4',
  '@/',
  '/@',
  '?=',
  '#@',
  '=',
  '&',
  '[',
  '\\',
  '"',
  "'",
  '12/',
  '12?a=',
]

/** Passwords without percent-encoding. */
const PASSWORDS = [
  ...AWKWARD.flatMap((awkward) => [
    `${FIRST}${awkward}${LAST}`,
    `${awkward}${FIRST}${LAST}`,
    `${FIRST}${LAST}${awkward}`,
    `12${awkward}${LAST}`,
  ]),
  `${FIRST}@#/:?% ${LAST}`,
  `${FIRST}? /#@:%${LAST}`,
]
/** URLs with a user and a password in the right place. */
const GOOD_SHAPES = PASSWORDS.flatMap((password) => [
  `postgres://me:${password}@db.example:5432/game`,
  `postgresql://me:${password}@127.0.0.1:1/game?sslmode=require`,
  `postgres://me@corp:${password}@db.example/game`,
])
const URLS = [
  ...GOOD_SHAPES,
  // The password is in another place, behind another scheme or none, or in the words of libpq.
  ...PASSWORDS.flatMap((password) => [
    `postgres://db.example/game?user=me&password=${password}`,
    `postgres:/me:${password}@db.example/game`,
    `mysql://me:${password}@db.example/game`,
    `me:${password}@db.example/game`,
    `host=db.example user=me password=${password} dbname=game`,
  ]),
  // A URL without a host, because a shell took the rest of the line as a comment. If the rest could be a host or a
  // port, the password cannot be recognized.
  ...PASSWORDS.filter((password) => !/^12|@/.test(password)).map((password) => `postgres://me:${password}`),
]
const isShown = (text: string) => [FIRST, LAST].some((part) => text.includes(part))

function faultsOf(read: () => unknown): string {
  try {
    read()
    return ''
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults.join('\n')
    throw error
  }
}

test('no piece of a password is in what is shown of a URL, however it is written', () => {
  const shown = URLS.flatMap((url) => [redacted(url), nameOf(url)])
  expect(shown.filter(isShown)).toEqual([])
  expect(redacted('postgres://me:p%40ss@db:5432/game?sslmode=require')).toBe(
    'postgres://me:***@db:5432/game?sslmode=require',
  )
  for (const open of [
    'postgres://me@db:5432/game',
    'postgres://db:5432/game',
    'postgres://[::1]:5432/game?host=/run',
    'postgres:///game?host=/run',
    'sqlite:./a:b@c.db',
    'nonsense',
  ])
    expect(redacted(open)).toBe(open)
})

test('nor in any fault of the environment, which advises to percent-encode', () => {
  for (const url of URLS) {
    const MATCHYARD_SECRET = goodSecret()
    const faults = [
      faultsOf(() => readServeConfig({ MATCHYARD_SECRET, DATABASE_URL: url })),
      faultsOf(() => readServeConfig({ MATCHYARD_SECRET, DATABASE_LISTEN_URL: url })),
      faultsOf(() => readStorageConfig({ DATABASE_URL: url })),
    ]
    expect(faults.filter(isShown)).toEqual([])
  }
  for (const awkward of ['#', '/', '?', ':/', '@/']) {
    const url = `postgres://me:${FIRST}${awkward}${LAST}@db.example/game`
    const said = { sentence: expect.stringMatching(/cannot be read; percent-encode.*@ is %40/) }
    expect(databaseUrl(url)).toMatchObject(said)
    expect(listenUrl(url)).toMatchObject(said)
  }
  // An unusual URL that can be read without doubt is not refused.
  for (const url of ['postgres://me:a@b@db/game', 'postgres://me:a:b@db/game', 'postgres://me@/game?host=/run'])
    expect(databaseUrl(url)).not.toBeInstanceOf(Fault)
})

test('nor in what opening a storage throws, nor in a line of the log', async () => {
  for (const url of URLS) {
    const error: unknown = await storageOf(url).then(
      (storage) => storage.close(),
      (refusal) => refusal,
    )
    expect(isShown(error instanceof Error ? `${error.stack}` : '')).toBe(false)
  }
  const logged = GOOD_SHAPES.map((url) => redactText(`${url} is lost`))
  expect(logged.filter(isShown)).toEqual([])
})

test.each([
  ['migrate', `${FIRST}#${LAST}`],
  ['migrate', `${FIRST}%e4${LAST}`],
  ['doctor', `${FIRST}@/ ${LAST}`],
  ['dev', `${FIRST}#${LAST}`],
])('nor in what %s prints of %s', async (command, password) => {
  const env = { DATABASE_URL: `postgres://me:${password}@127.0.0.1:1/game` }
  const { code, stdout, stderr } = await run([command], { cwd: temporaryFolder(), env })
  expect(code).toBe(1)
  expect(`${stdout}${stderr}`).toContain('percent-encode')
  expect([stdout, stderr].filter(isShown)).toEqual([])
})
