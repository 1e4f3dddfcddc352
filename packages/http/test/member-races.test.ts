import { createMatchyard, type Matchyard, type Role } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { fakePlatform } from '@matchyard/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const STORAGES: Readonly<Record<string, () => Storage>> = {
  memory: memoryStorage,
  SQLite: () => sqliteStorage({ path: ':memory:' }),
}

interface Stage {
  readonly matchyard: Matchyard
  readonly owner: { readonly accountId: string; readonly projectId: string }
  /** Numbers of microtasks by which the next calls of the storage are late. */
  late: number[]
}

/** Opens a service whose calls of the storage wait, so that two calls of the service interleave in many ways. */
async function stageOn(storage: Storage): Promise<Stage> {
  const stage = { late: [] as number[] }
  const wait = async () => {
    for (let n = stage.late.shift() ?? 0; n > 0; n--) await Promise.resolve()
  }
  const slow: Storage = {
    ...storage,
    get: async (kind, id) => {
      await wait()
      return storage.get(kind, id)
    },
    getMany: async (kind, ids) => {
      await wait()
      return storage.getMany(kind, ids)
    },
    commit: async (commit) => {
      await wait()
      return storage.commit(commit)
    },
  }
  const matchyard = createMatchyard({ ...fakePlatform(), storage: slow })
  await matchyard.open()
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'arena' })
  return Object.assign(stage, { matchyard, owner: { accountId, projectId } })
}

let people = 0

async function joined({ matchyard, owner }: Stage, role: Role): Promise<string> {
  const { token } = await matchyard.members.invite({ ...owner, role })
  const email = `person${++people}@example.com`
  const account = { email, password: 'long enough', name: 'Eve' }
  return (await matchyard.members.joinAnew({ token: token ?? '', ...account })).accountId
}

const lateness = fc.array(fc.nat(12), { minLength: 24, maxLength: 24 })

/** Runs a race in many interleavings on one service. */
async function races(storage: () => Storage, race: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await stageOn(storage())
  const property = fc.asyncProperty(lateness, async (late) => {
    stage.late = [...late]
    await race(stage)
    stage.late = []
  })
  await fc.assert(property, { numRuns: 30 })
  await stage.matchyard.stop()
}

const isLive = async ({ matchyard }: Stage, value: string | null) =>
  matchyard.access.authenticateKey(value ?? '').then(
    () => true,
    () => false,
  )

describe.each(Object.entries(STORAGES))('on %s', (_, storage) => {
  test('no key survives the removal of the member who creates it', () =>
    races(storage, async (stage) => {
      const { matchyard, owner } = stage
      const { late } = stage
      stage.late = []
      const eve = await joined(stage, 'developer')
      const first = await matchyard.keys.mint({ ...owner, personId: eve, type: 'server' })
      stage.late = late
      const [minted, removed] = await Promise.allSettled([
        matchyard.keys.mint({ ...owner, personId: eve, type: 'server' }),
        matchyard.members.remove({ ...owner, memberAccountId: eve }),
      ])
      expect(removed.status).toBe('fulfilled')
      if (minted.status === 'fulfilled') expect(await isLive(stage, minted.value.value)).toBe(false)
      else expect(minted.reason).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
      expect(await isLive(stage, first.value)).toBe(false)
    }))

  test('no invitation survives the removal of the member who makes it', () =>
    races(storage, async (stage) => {
      const { matchyard, owner } = stage
      const { late } = stage
      stage.late = []
      const eve = await joined(stage, 'admin')
      stage.late = late
      await Promise.allSettled([
        matchyard.members.invite({ ...owner, personId: eve, role: 'viewer' }),
        matchyard.members.remove({ ...owner, memberAccountId: eve }),
      ])
      const { invitations } = await matchyard.members.list(owner)
      expect(invitations.filter(({ invitedBy }) => invitedBy === eve)).toEqual([])
    }))

  test('one of two accounts joins with one token', () =>
    races(storage, async (stage) => {
      const { matchyard, owner } = stage
      const { late } = stage
      stage.late = []
      const accounts = await Promise.all(
        [1, 2].map(async () =>
          matchyard.accounts.create({ email: `p${++people}@example.com`, password: 'long enough', name: 'P' }),
        ),
      )
      const { token } = await matchyard.members.invite({ ...owner, role: 'viewer' })
      stage.late = late
      const results = await Promise.allSettled(
        accounts.map(({ id: accountId }) => matchyard.members.join({ token: token ?? '', accountId })),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const refused = results.find((result) => result.status === 'rejected')
      expect(refused).toMatchObject({ reason: { code: 'INVITATION_NOT_FOUND' } })
      const { members } = await matchyard.members.list(owner)
      const ours = members.filter(({ accountId }) => accounts.some(({ id }) => id === accountId))
      expect(ours).toHaveLength(1)
      await matchyard.members.remove({ ...owner, memberAccountId: ours[0]?.accountId ?? '' })
    }))

  test('a change of the role and the removal of a member leave neither the member nor its keys', () =>
    races(storage, async (stage) => {
      const { matchyard, owner } = stage
      const { late } = stage
      stage.late = []
      const eve = await joined(stage, 'developer')
      const { value } = await matchyard.keys.mint({ ...owner, personId: eve, type: 'server' })
      stage.late = late
      const [set, removed] = await Promise.allSettled([
        matchyard.members.setRole({ ...owner, memberAccountId: eve, role: 'admin' }),
        matchyard.members.remove({ ...owner, memberAccountId: eve }),
      ])
      expect(removed.status).toBe('fulfilled')
      if (set.status === 'rejected') expect(set.reason).toMatchObject({ code: 'MEMBER_NOT_FOUND' })
      expect((await matchyard.members.list(owner)).members.map(({ accountId }) => accountId)).not.toContain(eve)
      expect(await isLive(stage, value)).toBe(false)
    }))

  test('a key that is created during a change of the role has the new role', () =>
    races(storage, async (stage) => {
      const { matchyard, owner } = stage
      const { late } = stage
      stage.late = []
      const eve = await joined(stage, 'developer')
      stage.late = late
      const [minted] = await Promise.allSettled([
        matchyard.keys.mint({ ...owner, personId: eve, type: 'server', expiresInSeconds: 600 }),
        matchyard.members.setRole({ ...owner, memberAccountId: eve, role: 'viewer' }),
      ])
      if (minted.status === 'rejected') throw minted.reason
      expect(await matchyard.access.authenticateKey(minted.value.value ?? '')).toMatchObject({ role: 'viewer' })
      await matchyard.members.remove({ ...owner, memberAccountId: eve })
    }))
})
