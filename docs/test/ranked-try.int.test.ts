import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import Database from 'better-sqlite3'
import pg from 'pg'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programsOf, ROOT } from './documents'

/** Code that kills the process before the statement whose number is in KILL_AT. */
const KILL = `const killAt = (line) => { if (line === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL') }\n`

interface Killable {
  readonly code: string
  readonly statements: number
}

/** End of the handler, and a kill after its transaction and before its message leaves the outbox. */
const HANDLER = /(await chess\.consume\('games', )([\s\S]*?)(, \{ types: \['match\.ended'\] \}\))/
const killAfter = (n: number) => `$1((handle) => async (message) => { await handle(message); killAt(${n}) })($2)$3`

/**
 * Returns the program with a possible kill before each of its statements, those in functions included, and one after the
 * handler.
 */
function killable(code: string): Killable {
  const file = ts.createSourceFile('block.mjs', code, ts.ScriptTarget.Latest, true)
  const places: number[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isSourceFile(node) || ts.isBlock(node)) && node.statements.length > 0) {
      for (const statement of node.statements) if (!ts.isImportDeclaration(statement)) places.push(statement.getStart())
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  places.sort((a, b) => a - b)
  const parts = places.map((place, n) => `killAt(${n});${code.slice(place, places[n + 1])}`)
  const made = `${code.slice(0, places[0])}${KILL}${parts.join('')}`
  if (!HANDLER.test(made)) throw new Error('the program has no handler')
  return { code: made.replace(HANDLER, killAfter(places.length)), statements: places.length + 1 }
}

/** Runs the program in a folder until it ends, or until it is killed before a statement. Returns its exit code or signal. */
function run(folder: string, url: string, killAt?: number): Promise<number | string | null> {
  const env = { ...process.env, DATABASE_URL: url, KILL_AT: String(killAt ?? -1) }
  const child = spawn(process.execPath, ['block.mjs'], { cwd: folder, env, stdio: 'ignore', timeout: 60_000 })
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
}

/** Returns what the studio's rows must be by the records of the service: player → games and coins. */
async function byTheService(matchyard: Matchyard): Promise<Map<string, { played: number; coins: number }>> {
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'Chess' })
  const { data } = await matchyard.matches.list({ projectId, status: 'ended' })
  const players = new Map<string, { played: number; coins: number }>()
  for (const { match } of data) {
    for (const team of match.result === undefined ? [] : match.teams) {
      const won = match.result?.teams.find(({ name }) => name === team.name)?.rank === 1
      for (const { playerId } of team.players) {
        const { played, coins } = players.get(playerId) ?? { played: 0, coins: 0 }
        players.set(playerId, { played: played + 1, coins: coins + (won ? 10 : 1) })
      }
    }
  }
  for (const [playerId, { played }] of players) {
    const [rating] = (await matchyard.ratings.ofPlayer({ projectId, playerId })).data
    expect(rating?.matches, `ratings of ${playerId}`).toBe(played)
  }
  await matchyard.stop()
  return players
}

const platform = () => nodePlatform({ secret: 'thirty-two characters of secret!' })
type Row = { id: string; played: number; coins: number }
const asMap = (rows: readonly Row[]) => new Map(rows.map(({ id, played, coins }) => [id, { played, coins }]))

let database: TestServer
beforeAll(async () => {
  database = await startServer()
})
afterAll(() => database.stop())

/** Creates an empty database on the server. Returns its URL. */
async function newDatabase(): Promise<string> {
  const name = `backend_${databases++}`
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`create database ${name}`).finally(() => client.end())
  return database.url.replace('/postgres?', `/${name}?`)
}
let databases = 0

describe.each([
  { name: 'SQLite', block: 0 },
  { name: 'PostgreSQL', block: 1 },
])('the ranked backend on $name', ({ name, block }) => {
  const { code, statements } = killable(programsOf('docs/embedding.md')[block]?.code ?? '')

  it('has every row once, wherever the process is killed and runs again', { timeout: 3_000_000 }, async () => {
    expect(statements).toBeGreaterThan(30)
    let [killed, tried] = [0, 0]
    // An ordinary run kills before every second statement, another half on each database; `MATCHYARD_PROVE` before all.
    for (let killAt = 0; killAt < statements; killAt++) {
      if (process.env.MATCHYARD_PROVE === undefined && killAt % 2 !== block && killAt < statements - 1) continue
      tried++
      const folder = mkdtempSync(join(ROOT, 'docs', 'test', '.run-'))
      const url = name === 'SQLite' ? '' : await newDatabase()
      try {
        writeFileSync(join(folder, 'block.mjs'), code)
        if ((await run(folder, url, killAt)) === 'SIGKILL') killed++
        expect(await run(folder, url), `after a kill before statement ${killAt}`).toBe(0)
        const rows = name === 'SQLite' ? rowsOfFile(folder) : await rowsOfDatabase(url)
        const storage =
          name === 'SQLite' ? sqliteStorage({ path: join(folder, 'matchyard.db') }) : postgresStorage({ url })
        const wanted = await byTheService(createMatchyard({ storage, ...platform() }))
        expect(asMap(rows), `after a kill before statement ${killAt}`).toEqual(wanted)
        expect(wanted.size).toBe(2)
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      }
    }
    expect(killed).toBeGreaterThan(tried * 0.8)
  })
})

function rowsOfFile(folder: string): Row[] {
  const db = new Database(join(folder, 'studio.db'), { readonly: true })
  try {
    return db.prepare<[], Row>('select id, played, coins from players').all()
  } finally {
    db.close()
  }
}

async function rowsOfDatabase(url: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>('select id, played, coins from players')).rows
  } finally {
    await client.end()
  }
}
