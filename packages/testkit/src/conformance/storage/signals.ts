import assert from 'node:assert/strict'
import { CHANGE_KINDS, type ChangeKind, type Signal, type Storage } from '@matchyard/core/ports'
import { apply, change, event, next, put, readEvents, remove, store } from './changes'
import { area } from './harness'
import { aBuild, aLobby, aMatch, anAccount, anApiKey, aQueue, aServer, aTicket, QUEUE_KEY } from './samples'

const it = area('signals')

/** Milliseconds within which a signal must arrive, in a store without other work. In an outage a signal may be lost. */
const PATIENCE_MS = 5_000

/** Collects signals; `until` resolves when every signal that it names has arrived. */
function listen(storage: Storage) {
  const heard: string[] = []
  let wake = () => {}
  const unsubscribe = storage.subscribe(({ topic, id }: Signal) => {
    heard.push(`${topic}:${id}`)
    wake()
  })
  const until = (...wanted: string[]) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`waited for ${wanted.join(', ')} and heard ${heard.join(', ') || 'nothing'}`))
      }, PATIENCE_MS)
      wake = () => {
        if (!wanted.every((name) => heard.includes(name))) return
        clearTimeout(timer)
        resolve()
      }
      wake()
    })
  return { heard, until, unsubscribe }
}

export const signalCases = [
  it('tell every handle of each thing that a commit changed', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const [own, other] = [listen(here), listen(there)]
    const [lobby, queue, key, server, account] = [aLobby(), aQueue(), anApiKey(), aServer(), anAccount()]
    await apply(here, {
      writes: [
        put('lobby', lobby),
        put('ticket', aTicket()),
        put('queue', queue),
        put('api-key', key),
        put('server', server),
        put('account', account),
      ],
      events: [event(lobby)],
      jobs: [{ id: 'job', kind: 'expire', runAt: 1, tenant: 'acc_a', payload: {} }],
    })
    const expected = [
      `lobby:${lobby.id}`,
      `tickets:${QUEUE_KEY}`,
      `queue:${queue.id}`,
      `api-key:${key.id}`,
      `server:${server.id}`,
      `account:${account.id}`,
      'jobs:expire',
    ]
    await Promise.all([own.until(...expected), other.until(...expected)])
  }),

  it('tell every handle of the project in which anything came, changed or went, of whatever kind', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const other = listen(there)
    const projects = CHANGE_KINDS.map((kind) => `prj_of_${kind}`)
    const told = async (change: () => Promise<unknown>) => {
      other.heard.splice(0)
      await change()
      await other.until(...projects.map((id) => `changes:${id}`))
    }
    const made = CHANGE_KINDS.map((kind, index) => {
      const projectId = projects[index] as string
      return { lobby: aLobby, match: aMatch, server: aServer, build: aBuild, queue: aQueue }[kind]({ projectId })
    })
    const each = (act: (kind: ChangeKind, value: (typeof made)[number]) => Promise<unknown>) => async () => {
      for (const [index, kind] of CHANGE_KINDS.entries()) await act(kind, made[index] as (typeof made)[number])
    }
    await told(each((kind, value) => store(here, kind, value as never)))
    await told(each((kind, value) => apply(here, { writes: [put(kind, next(value) as never)] })))
    // Each removal has a separate commit, so that no other change wakes the reader.
    await told(each((kind, value) => apply(here, { writes: [remove(kind, next(value))] })))
  }),

  it('tell every handle of the project of a lobby that is gone, by its event', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const other = listen(there)
    const lobby = aLobby({ projectId: 'prj_gone' })
    await store(here, 'lobby', lobby)
    await other.until('changes:prj_gone')
    other.heard.splice(0)
    const last = { ...event(next(lobby)), name: 'lobby_deleted' as const }
    await apply(here, { writes: [remove('lobby', lobby)], events: [last] })
    await other.until('changes:prj_gone')
  }),

  it('come when what they tell of can be read', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const lobby = aLobby()
    const seen = new Promise<number>((resolve, reject) => {
      there.subscribe(({ topic }) => {
        if (topic === 'lobby') readEvents(there, lobby.id, 0, 10).then((events) => resolve(events.length), reject)
      })
    })
    await apply(here, { writes: [put('lobby', lobby)], events: [event(lobby)] })
    assert.equal(await seen, 1)
  }),

  it('do not tell of a commit that was refused', async ({ storage }) => {
    const [refused, applied] = [next(aLobby()), aLobby()]
    const { heard, until } = listen(storage)
    await storage.commit(change({ writes: [put('lobby', refused)], events: [event(refused)] }))
    await apply(storage, { writes: [put('lobby', applied)], events: [event(applied)] })
    await until(`lobby:${applied.id}`)
    assert.ok(!heard.includes(`lobby:${refused.id}`))
  }),

  it('end with the subscription, each on its own', async ({ storage }) => {
    const [ended, going] = [listen(storage), listen(storage)]
    ended.unsubscribe()
    const queue = aQueue()
    await store(storage, 'queue', queue)
    await going.until(`queue:${queue.id}`)
    assert.deepEqual(ended.heard, [])
    ended.unsubscribe()
  }),

  it('may be asked for twice by one listener, and each subscription ends alone', async ({ storage }) => {
    const queue = aQueue()
    let calls = 0
    // The listener must ignore other signals: when signals may have been lost, a store sends additional signals, so
    // that readers read again.
    const listener = ({ id }: Signal) => {
      if (id === queue.id) calls++
    }
    const [first, second] = [storage.subscribe(listener), storage.subscribe(listener)]
    first()
    const { until } = listen(storage)
    await store(storage, 'queue', queue)
    await until(`queue:${queue.id}`)
    assert.equal(calls, 1)
    second()
  }),
]
