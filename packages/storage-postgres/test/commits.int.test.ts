import { expect, inject, test } from 'vitest'
import { holdOpen, waitUntilBlockedBy } from '../src/testing/harness'
import { aLobby, aTicket, change, putLobby, putTicket } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')
const QUEUE = 'prj_a/ranked'

test('a commit held open across a read of changedSince is not skipped, on any page of any node', async () => {
  const { door, migrated } = aStore(url)
  const [writer, reader] = [await migrated(), await migrated()]
  const held = [aTicket(), aTicket()]
  const early = Array.from({ length: 7 }, () => aTicket())
  const told = new Set<string>()
  let cursor: string | undefined
  const follow = async () => {
    for (let more = true; more; ) {
      const read = await reader.tickets.changedSince(QUEUE, cursor, 2)
      for (const { ticketId } of read.changes) told.add(ticketId)
      ;({ cursor, more } = read)
    }
  }
  await follow()
  const commit = change({
    writes: held.map((put) => ({ kind: 'ticket' as const, id: put.id, expected: 'absent' as const, put })),
  })
  await holdOpen(door, writer, commit, async () => {
    // These transactions start later than the held one and have higher numbers. They are read before the held one
    // commits.
    for (const ticket of early) await writer.commit(putTicket(ticket))
    await follow()
    await follow()
    expect([...told].sort()).toEqual(early.map(({ id }) => id).sort())
  })
  await follow()
  expect([...told].sort()).toEqual([...early, ...held].map(({ id }) => id).sort())
})

test('a reader in a quiet store is told nothing twice', async () => {
  const { migrated } = aStore(url)
  const storage = await migrated()
  for (let n = 0; n < 5; n++) await storage.commit(putTicket(aTicket()))
  const first = await storage.tickets.changedSince(QUEUE, undefined, 10)
  const second = await storage.tickets.changedSince(QUEUE, first.cursor, 10)
  expect([first.changes.length, second.changes.length]).toEqual([5, 0])
})

test('a check of absence leaves nothing behind', async () => {
  const { door, migrated } = aStore(url)
  const storage = await migrated()
  const absent = aLobby()
  const commit = change({
    checks: [{ kind: 'lobby', id: absent.id, expected: 'absent' }],
    counters: [{ id: 'n', add: 1 }],
  })
  expect(await storage.commit(commit)).toEqual({ ok: true })
  expect(await door.query('select from lobby')).toEqual([])
  expect(await storage.commit(putLobby(absent))).toEqual({ ok: true })
})

test('a commit that waits for a row does not hold up the others', async () => {
  const { door, migrated } = aStore(url)
  const storage = await migrated()
  const stuck = aLobby()
  await storage.commit(putLobby(stuck))
  const holder = await door.connect()
  await holder.query('begin')
  await holder.query('select from lobby where id = $1 for update', [stuck.id])
  const waiting = storage.commit(putLobby({ ...stuck, version: 2 }))
  await waitUntilBlockedBy(door, holder)
  for (let n = 0; n < 20; n++) expect(await storage.commit(putLobby(aLobby()))).toEqual({ ok: true })
  await holder.query('commit')
  await holder.end()
  expect(await waiting).toEqual({ ok: true })
})

test('a deadlock with another program is lost and tried again, unseen', async () => {
  const { door, migrated } = aStore(url)
  const storage = await migrated()
  const [a, b] = [aLobby({ id: 'lob_a' }), aLobby({ id: 'lob_b' })]
  await storage.commit(change({ writes: [...putLobby(a).writes, ...putLobby(b).writes] }))
  const other = await door.connect()
  // The other program has a long deadlock timeout, so that the adapter's connection is the one that detects the
  // deadlock.
  await other.query(`set deadlock_timeout = '60s'`)
  await other.query('begin')
  await other.query(`select from lobby where id = 'lob_b' for update`)
  const both = change({
    writes: [a, b].flatMap((lobby) => putLobby({ ...lobby, version: 2 }).writes),
  })
  const result = storage.commit(both)
  await waitUntilBlockedBy(door, other)
  await other.query(`select from lobby where id = 'lob_a' for update`)
  await other.query('commit')
  await other.end()
  expect(await result).toEqual({ ok: true })
})

test('a statement that fails for one commit of a crowd fails that one alone', async () => {
  const { migrated } = aStore(url)
  const storage = await migrated()
  const twice = aLobby()
  await storage.commit(putLobby(twice))
  // Only a bug can write the same event twice, and the checks of commits cannot notice it.
  const event = { lobbyId: twice.id, version: 1, name: 'lobby_updated' as const, at: 1, lobby: twice }
  const results = await Promise.allSettled([
    storage.commit(putLobby(aLobby())),
    storage.commit(change({ events: [event] })),
    storage.commit(putLobby(aLobby())),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('U+0000 and the sign that stands for it come back in ids, members, keys and jobs', async () => {
  const { migrated } = aStore(url)
  const storage = await migrated()
  const odd = ['a\0b', '\ue000', '\ue0000', '\0', '\ue000\0\ue0001', 'a\u0001b']
  for (const id of odd) {
    const ticket = aTicket({ id, queueKey: `queue ${id}` })
    const commit = change({
      writes: putTicket(ticket).writes,
      counters: [{ id, add: 3 }],
      jobs: [{ id, kind: id, runAt: 1, tenant: id, payload: { text: id } }],
    })
    expect(await storage.commit(commit)).toEqual({ ok: true })
    await storage.presence.touch([{ scope: id, member: id, at: 5 }])
    expect(await storage.get('ticket', id)).toEqual(ticket)
    expect((await storage.tickets.changedSince(`queue ${id}`, undefined, 5)).changes).toEqual([
      { ticketId: id, ticket },
    ])
    expect(await storage.counters.read(id)).toBe(3)
    expect(await storage.presence.read(id)).toEqual([{ member: id, at: 5 }])
    const [job] = await storage.jobs.claim({
      kinds: [id],
      now: 1,
      limit: 1,
      leaseMs: 1,
      holder: id,
      perTenant: 1,
      inHand: new Map(),
    })
    expect([job?.id, job?.kind, job?.tenant, job?.payload]).toEqual([id, id, id, { text: id }])
    expect(job && (await storage.jobs.complete(job))).toBe(true)
  }
  expect((await storage.tickets.waiting()).map(({ queueKey }) => queueKey).sort()).toEqual(
    odd.map((id) => `queue ${id}`).sort(),
  )
})

test('no plan reads a table whole, not even one that was made while the table was empty', async () => {
  const { door, handle, migrated } = aStore(url)
  await (await migrated()).close()
  // The server counts a connection's scans when the connection ends, so the handle is closed before the count is read.
  const counted = async (atLeast: number) => {
    for (;;) {
      const [stats] = await door.query<{ scans: number; rows: number }>(
        `select sum(seq_scan)::int as scans, sum(n_tup_ins) filter (where relname = 'lobby')::int as rows
         from pg_stat_user_tables where schemaname = $1 and relname in ('lobby', 'unique_key', 'commit_log', 'job')`,
        [door.schema],
      )
      if (stats !== undefined && stats.rows >= atLeast) return stats.scans
    }
  }
  const before = await counted(0)
  const storage = handle({ poolSize: 2 })
  // Many commits run at once, because for a search of many ids the planner may prefer to read a small table whole.
  for (let round = 0; round < 8; round++) {
    const crowd = Array.from({ length: 40 }, (_, n) => aLobby({ inviteCode: `CODE${round}N${n}` }))
    await Promise.all(crowd.map((lobby) => storage.commit(putLobby(lobby))))
  }
  await storage.close()
  expect((await counted(320)) - before).toBe(0)
})
