import type { Account } from '../data/session'
import { builds } from './builds/room'
import { lobbies } from './lobbies/room'
import { machines } from './machines/room'
import { matches } from './matches/room'
import { now } from './now/room'
import { players } from './players/room'
import { playground } from './playground/room'
import { problems } from './problems/room'
import { queues } from './queues/room'
import { ratings } from './ratings/room'
import type { Group, Room } from './room'
import { servers } from './servers/room'
import { settings } from './settings/room'
import { usage } from './usage/room'

export type { Room, RoomView } from './room'

/** All sections; the first is the start page. */
const ALL: readonly Room[] = [
  now,
  problems,
  queues,
  lobbies,
  matches,
  players,
  ratings,
  servers,
  playground,
  builds,
  usage,
  settings,
  machines,
]

/** Returns the sections that an account sees; the first is the start page. */
export const roomsFor = ({ operator = false }: Pick<Account, 'operator'>): readonly Room[] =>
  ALL.filter(({ isForOperators = false }) => operator || !isForOperators)

/** Groups of sections with their titles, in the order of the navigation. */
export const GROUPS: readonly (readonly [Group, string])[] = [
  ['watch', ''],
  ['make', 'Develop'],
  ['project', 'Project'],
  ['installation', 'Installation'],
]
