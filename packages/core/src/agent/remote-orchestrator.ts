import type { ServiceError } from '../errors/service-error'
import type { Clock } from '../ports/clock'
import type { Orchestrator, WarmPool } from '../ports/orchestrator'
import type { JsonValue } from '../shared/json'
import {
  mostWaiting,
  readImage,
  readLaunched,
  readLines,
  readNothing,
  readObserved,
  readPorts,
  readRoom,
  readWarm,
} from './answers'
import { MAX_AMONG } from './link-limits'
import { CallFailure } from './open-calls'
import type { AgentCall, AgentFacts } from './protocol'

/** Connection of the remote orchestrator to its remote control. */
export interface RemoteLink {
  readonly name: string
  readonly clock: Clock
  /** Returns the facts of the last stream; undefined before the first stream. */
  readonly facts: () => AgentFacts | undefined
  /** Makes a call and reads its answer. Rejects with CallFailure. */
  readonly ask: <T>(call: AgentCall, read: (value: JsonValue) => T | undefined) => Promise<T>
  /** Returns the error of the service for a failed call. */
  readonly failed: (failure: CallFailure) => ServiceError
  readonly subscribe: Orchestrator['subscribe']
}

/** Capabilities before the agent opened its first stream. */
const NONE: Orchestrator['capabilities'] = { buildTypes: [], limitations: [], keepsWarm: false }

/** Returns the orchestrator whose calls an agent carries out. */
export function remoteOrchestrator({ name, clock, facts, ask, failed, subscribe }: RemoteLink): Orchestrator {
  const host = () => facts()?.host ?? ''
  const call = async <T>(what: AgentCall, read: (value: JsonValue) => T | undefined): Promise<T> => {
    try {
      return await ask(what, read)
    } catch (error) {
      throw error instanceof CallFailure ? failed(error) : error
    }
  }
  const act = async (what: AgentCall): Promise<void> => void (await call(what, readNothing))

  return {
    name,
    get regions() {
      return facts()?.regions ?? []
    },
    get limits() {
      return facts()?.limits ?? {}
    },
    get capabilities() {
      return facts()?.capabilities ?? NONE
    },
    // The agent opens and closes its own orchestrator.
    open: async () => {},
    close: async () => {},
    proposePorts: (requests, pool) =>
      call({ call: 'proposePorts', requests, ...(pool === undefined ? {} : { pool }) }, (value) =>
        readPorts(value, requests, host()),
      ),
    keepWarm: async (pools) => {
      const most = mostWaiting(pools)
      return call({ call: 'keepWarm', pools: pools.map(asJson) }, (value) => readWarm(value, most))
    },
    admit: async ({ held, ...wish }) => call({ call: 'admit', wish: wishOf(wish), held: await held() }, readRoom),
    launch: async (spec) => {
      try {
        return await ask({ call: 'launch', spec }, readLaunched)
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        const reason = error.reason === 'too_large' ? 'final' : 'away'
        return { ok: false, reason, message: error.reason === 'too_large' ? error.message : failed(error).detail }
      }
    },
    stop: (instanceId, { graceMs }) => act({ call: 'stop', instanceId, graceMs }),
    observe: (of, { among } = {}) => {
      const some = among === undefined || among.size > MAX_AMONG ? {} : { among: [...among] }
      return call({ call: 'observe', ...(of === undefined ? {} : { of }), ...some }, (value) =>
        readObserved(value, host(), clock.now()),
      )
    },
    forget: (instanceId) => act({ call: 'forget', instanceId }),
    prune: () => act({ call: 'prune' }),
    logs: (instanceId, { limit, since }) =>
      call({ call: 'logs', instanceId, limit, ...(since === undefined ? {} : { since }) }, (value) =>
        readLines(value, limit, clock.now()),
      ),
    // The lines about the check stay on the machine of the agent.
    prepareImage: (image) => call({ call: 'prepareImage', image }, (value) => readImage(value, image)),
    subscribe,
  }
}

/** Returns a pool without a maximum that JSON cannot express. */
function asJson({ most, ...pool }: WarmPool): WarmPool {
  return most === undefined || !Number.isFinite(most) ? pool : { ...pool, most }
}

type Wish = Extract<AgentCall, { call: 'admit' }>['wish']

/** Returns the named fields alone, because callers may pass a whole server. */
const wishOf = ({ instanceId, region, tier, tierSize, archiveOf }: Wish): Wish => ({
  ...{ instanceId, region, tier, tierSize, archiveOf },
})
