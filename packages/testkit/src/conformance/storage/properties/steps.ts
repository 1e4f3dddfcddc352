import { LOBBY_STATUSES, type LobbyStatus, type Region } from '@matchyard/core'
import fc from 'fast-check'

/**
 * Kinds of entities that the steps of a random history write. A step is an intent: the planner turns it into a commit
 * that fits the state at that time.
 */
export const KINDS = ['lobby', 'ticket', 'server', 'account', 'invite-hold', 'match'] as const
export type Kind = (typeof KINDS)[number]

/** Number of entities of each kind. The number is small, so that histories often change the same entities. */
export const SLOTS = 3
const slot = fc.nat({ max: SLOTS - 1 })

export interface WriteIntent {
  readonly kind: Kind
  readonly slot: number
  readonly remove: boolean
  /** Whether the write expects a version that is not stored. */
  readonly stale: boolean
  /** Number of the unique key that the entity claims, out of a few keys. */
  readonly key: number
  readonly status: LobbyStatus
  readonly queue: 'ranked' | 'casual'
  readonly region: Region | null
  readonly flag: boolean
  readonly players: number
}

export interface CommitIntent {
  readonly writes: readonly WriteIntent[]
  readonly checks: readonly { readonly kind: Kind; readonly slot: number; readonly stale: boolean }[]
  readonly counters: readonly { readonly id: string; readonly add: number; readonly atMost: number | undefined }[]
  readonly jobs: readonly {
    readonly id: string
    readonly delay: number
    readonly tenant: string
    readonly kind: string
  }[]
}

export type Step =
  | { readonly do: 'commit'; readonly commits: readonly CommitIntent[] }
  | { readonly do: 'repeat' }
  | {
      readonly do: 'claim'
      readonly wait: number
      readonly limit: number
      readonly perTenant: number
      readonly leaseMs: number
      readonly holder: string
    }
  | { readonly do: 'complete' | 'retry' | 'renew'; readonly pick: number; readonly delay: number }
  | { readonly do: 'give-back'; readonly holder: string }
  | { readonly do: 'touch'; readonly slot: number; readonly member: string; readonly at: number }
  | { readonly do: 'acquire' | 'release'; readonly holder: string; readonly wait: number }
  | { readonly do: 'prune'; readonly wait: number }
  | { readonly do: 'reopen' }
  | { readonly do: 'look' }

// Most intents are valid, because otherwise almost no commit would be applied.
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)

const writeIntent: fc.Arbitrary<WriteIntent> = fc.record({
  kind: fc.constantFrom(...KINDS),
  slot,
  remove: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  stale: rarely,
  key: fc.nat({ max: 4 }),
  status: fc.constantFrom(...LOBBY_STATUSES),
  queue: fc.constantFrom('ranked' as const, 'casual' as const),
  region: fc.constantFrom(null, 'iad' as const, 'fra' as const),
  flag: fc.boolean(),
  players: fc.integer({ min: 0, max: 3 }),
})

const commitIntent: fc.Arbitrary<CommitIntent> = fc.record({
  writes: fc.uniqueArray(writeIntent, { maxLength: 4, selector: ({ kind, slot }) => `${kind} ${slot}` }),
  checks: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), slot, stale: rarely }), { maxLength: 2 }),
  counters: fc.array(
    fc.record({
      id: fc.constantFrom('servers', 'builds'),
      add: fc.integer({ min: -2, max: 3 }),
      atMost: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
  jobs: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      delay: fc.integer({ min: -20, max: 60 }),
      tenant: fc.constantFrom('acc_a', 'acc_b'),
      kind: fc.constantFrom('work', 'work', 'care'),
    }),
    { maxLength: 3, selector: ({ id }) => id },
  ),
})

const wait = fc.nat({ max: 40 })
const holder = fc.constantFrom('node_1', 'node_2')

export const history: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: commits(1) },
    { weight: 3, arbitrary: commits(6) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'repeat' }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('claim' as const),
        wait,
        limit: fc.integer({ min: 1, max: 3 }),
        perTenant: fc.integer({ min: 1, max: 2 }),
        holder,
        leaseMs: wait,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('complete' as const, 'retry' as const, 'renew' as const),
        pick: fc.nat({ max: 5 }),
        delay: wait,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('touch' as const),
        slot,
        member: fc.constantFrom('ann', 'bob'),
        at: fc.nat({ max: 500 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('acquire' as const, 'release' as const), holder, wait }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('give-back' as const), holder }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), wait: fc.constantFrom(0, 4_000_000) }) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'reopen' }) },
    { weight: 2, arbitrary: fc.constant<Step>({ do: 'look' }) },
  ),
  { maxLength: 30 },
)

function commits(most: number): fc.Arbitrary<Step> {
  return fc.array(commitIntent, { minLength: 1, maxLength: most }).map((commits) => ({ do: 'commit', commits }))
}
