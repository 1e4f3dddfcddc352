import type { Ports } from '../ports/ports'
import { MINUTE_MS, SECOND_MS } from '../shared/time'
import { NodeConsumers } from './consumers'
import { DomainEventEmitter } from './domain-event-emitter'
import { KeySets } from './key-sets'
import { KeyedQueue } from './keyed-queue'
import { logSlots } from './log-slots'
import { MachineView } from './machine-view'
import { NodeRoom } from './node-room'
import type { NodeState } from './node-state'
import { OwnMachineState } from './own-machine-state'
import { PresenceTracker } from './presence-tracker'
import { RefusalCounts } from './refusal-counts'
import { SharedAnswers } from './shared-answers'
import { SilentEndpoints } from './silent-endpoints'
import { uploadSlots } from './upload-slots'
import { WatchedTime } from './watched-time'

/** Milliseconds for which this node returns the problems that it computed for a project to all callers. */
const PROBLEMS_FOR_MS = 3 * SECOND_MS

/** Milliseconds for which this node returns the costs that it read for an account to all callers. */
const SPENDING_FOR_MS = MINUTE_MS
/** Maximum number of accounts whose costs this node remembers for a minute. */
const MAX_SPENDINGS = 1_000

/** Returns the state of a node that has just started. */
export function newNode(ports: Ports): NodeState {
  const { storage, clock, logger, settings } = ports
  return {
    events: new DomainEventEmitter(logger),
    servingSince: clock.now(),
    consumers: new NodeConsumers(),
    turns: new KeyedQueue(),
    presence: new PresenceTracker(storage, logger),
    room: new NodeRoom(),
    machines: new MachineView(settings),
    own: new OwnMachineState(),
    silentEndpoints: new SilentEndpoints(),
    keySets: new KeySets(ports, settings.addressPolicy),
    hours: new SharedAnswers(clock),
    fieldsRead: new SharedAnswers(clock),
    crowds: new SharedAnswers(clock),
    holds: new SharedAnswers(clock),
    lobbyCounts: new SharedAnswers(clock),
    problems: new SharedAnswers(clock, PROBLEMS_FOR_MS),
    spending: new SharedAnswers(clock, SPENDING_FOR_MS, MAX_SPENDINGS),
    regions: new SharedAnswers(clock),
    historyParts: new Map(),
    historyDropped: { count: 0 },
    refusals: new RefusalCounts(),
    uploads: uploadSlots(),
    logReads: logSlots(),
    launchesAway: new Map(),
    unseenArchives: new Map(),
    troublesTold: new Set(),
    straysTold: new Map(),
    straysHandled: { count: 0 },
    watched: new WatchedTime(),
    warmSeen: new Map(),
    warmMeters: new Map(),
    hosted: new Map(),
    inFlight: new Set(),
  }
}
