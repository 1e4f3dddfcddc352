import { HOUR_MS } from '@matchyard/core/domain'
import { type BrokenStorage, replace } from './broken'

export const brokenCoordination: readonly BrokenStorage[] = [
  {
    name: 'hands a job out again while it is held',
    caughtBy: 'jobs: go to one claimer each, however many claim at once',
    wrap: (storage) =>
      replace(storage, {
        jobs: { ...storage.jobs, claim: (options) => storage.jobs.claim({ ...options, leaseMs: 0 }) },
      }),
  },
  {
    name: 'lets a job be taken by name out of another’s hands',
    caughtBy: 'jobs: can be taken by name, due or not, unless they are in another’s hands',
    wrap: (storage) =>
      replace(storage, {
        jobs: { ...storage.jobs, take: (id, claim) => storage.jobs.take(id, { ...claim, leaseMs: 0 }) },
      }),
  },
  {
    name: 'tells a worker that has lost a job that it completed it',
    caughtBy: 'jobs: go to another when the lease has run out, not before, and the first claimer has lost them',
    wrap: (storage) =>
      replace(storage, {
        jobs: {
          ...storage.jobs,
          async complete(job) {
            await storage.jobs.complete(job)
            return true
          },
        },
      }),
  },
  {
    name: 'hands out jobs of kinds that the claimer does not know',
    caughtBy: 'jobs: of a kind that the claimer does not know are left alone',
    wrap: (storage) =>
      replace(storage, {
        jobs: {
          ...storage.jobs,
          claim: (request) =>
            storage.jobs.claim({ ...request, kinds: ['of a newer release', ...request.kinds.slice(0, 1)] }),
        },
      }),
  },
  {
    name: 'lets one tenant have every hand',
    caughtBy: "jobs: are found behind any backlog of another tenant's, of any kind",
    wrap: (storage) =>
      replace(storage, {
        jobs: {
          ...storage.jobs,
          claim: (request) => storage.jobs.claim({ ...request, perTenant: request.limit, inHand: new Map() }),
        },
      }),
  },
  {
    name: 'says that it renewed a claim that another has taken',
    caughtBy: 'jobs: stay with whoever renews them, and tell whose renewal came too late',
    wrap: (storage) =>
      replace(storage, {
        jobs: {
          ...storage.jobs,
          async renew(jobs, leaseUntil) {
            await storage.jobs.renew(jobs, leaseUntil)
            return [...jobs]
          },
        },
      }),
  },
  {
    name: 'gives back what other nodes have in hand, too',
    caughtBy: 'jobs: that a holder left behind are given back at once, and nobody else’s',
    wrap: (storage) =>
      replace(storage, {
        jobs: {
          ...storage.jobs,
          claim: (request) => storage.jobs.claim({ ...request, holder: 'any' }),
          releaseHeld: () => storage.jobs.releaseHeld('any'),
        },
      }),
  },
  {
    name: 'gives a lease to whoever asks last',
    caughtBy: 'leases: are held by one holder until they run out',
    wrap(storage) {
      let holder = ''
      return replace(storage, {
        leases: {
          ...storage.leases,
          async acquire(name, asking, now, ttlMs) {
            await storage.leases.release(name, holder)
            holder = asking
            return storage.leases.acquire(name, asking, now, ttlMs)
          },
        },
      })
    },
  },
  {
    name: 'keeps the last touch instead of the latest instant',
    caughtBy: 'presence: keeps the latest instant of each member',
    wrap: (storage) =>
      replace(storage, {
        presence: {
          ...storage.presence,
          async touch(entries) {
            for (const entry of entries) {
              const others = (await storage.presence.read(entry.scope)).filter(({ member }) => member !== entry.member)
              await storage.presence.forget(entry.scope)
              await storage.presence.touch([entry, ...others.map((other) => ({ scope: entry.scope, ...other }))])
            }
          },
        },
      }),
  },
  {
    name: 'forgets who came back meanwhile',
    caughtBy: 'presence: is forgotten of some members, and of nobody who was seen later',
    wrap: (storage) =>
      replace(storage, {
        presence: {
          ...storage.presence,
          forgetMembers: (scope, members) =>
            storage.presence.forgetMembers(
              scope,
              members.map(({ member }) => ({ member, at: Number.MAX_SAFE_INTEGER })),
            ),
        },
      }),
  },
  {
    name: 'forgets an hour too early',
    caughtBy: 'prune: forgets commit ids over an hour old, and no others',
    wrap: (storage) => replace(storage, { prune: (now) => storage.prune(now + HOUR_MS) }),
  },
  {
    name: 'goes on answering after it was closed',
    caughtBy: 'reopen: is needed once a handle is closed: every call is refused as unavailable',
    wrap: (storage) => replace(storage, { close: async () => {} }),
  },
]
