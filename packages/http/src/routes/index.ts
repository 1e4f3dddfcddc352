import type { Endpoint } from '../endpoint'
import { AGENT_ENDPOINTS } from './agents'
import { AUDIT_ENDPOINTS } from './audit'
import { AUTH_ENDPOINTS } from './auth'
import { BAN_ENDPOINTS } from './bans'

import { BILLING_ENDPOINTS } from './billing'
import { BUILD_ENDPOINTS } from './builds'
import { ERROR_ENDPOINTS } from './errors'
import { GAME_SERVER_ENDPOINTS } from './game-servers'
import { HISTORY_ENDPOINTS } from './history'
import { JOIN_ENDPOINTS } from './join'
import { KEY_ENDPOINTS } from './keys'
import { LOBBY_ENDPOINTS } from './lobbies'
import { LOBBY_BAN_ENDPOINTS } from './lobby-bans'
import { LOBBY_EVENT_ENDPOINTS } from './lobby-events'
import { LOBBY_MATCHMAKING_ENDPOINTS } from './lobby-matchmaking'
import { LOBBY_PLAYER_ENDPOINTS } from './lobby-players'
import { LOBBY_PROPOSAL_ENDPOINTS } from './lobby-proposal'
import { MACHINE_ENDPOINTS } from './machines'
import { MATCH_ENDPOINTS } from './matches'
import { MEMBER_ENDPOINTS } from './members'
import { PLAYER_ENDPOINTS } from './players'
import { PROBLEM_ENDPOINTS } from './problems'
import { PROJECT_EVENT_ENDPOINTS } from './project-events'
import { PROJECT_ENDPOINTS } from './projects'
import { QUEUE_ENDPOINTS } from './queues'
import { RATING_ENDPOINTS } from './ratings'
import { REGION_ENDPOINTS } from './regions'
import { SECOND_FACTOR_ENDPOINTS } from './second-factor'
import { SECRET_ENDPOINTS } from './secrets'
import { SERVER_ENDPOINTS } from './servers'
import { SESSION_ENDPOINTS } from './sessions'
import { SYSTEM_ENDPOINTS } from './system'
import { WEBHOOK_ENDPOINTS } from './webhooks'

/**
 * Every route of the service. A route with a literal segment (`lobbies/join`) comes before a route with an id in the
 * same position.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  ...AUTH_ENDPOINTS,
  ...JOIN_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...SECOND_FACTOR_ENDPOINTS,
  ...PROJECT_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...BILLING_ENDPOINTS,
  ...BUILD_ENDPOINTS,
  ...GAME_SERVER_ENDPOINTS,
  ...SERVER_ENDPOINTS,
  ...SECRET_ENDPOINTS,
  ...MACHINE_ENDPOINTS,
  ...AGENT_ENDPOINTS,
  ...REGION_ENDPOINTS,
  ...QUEUE_ENDPOINTS,
  ...LOBBY_PLAYER_ENDPOINTS,
  ...LOBBY_BAN_ENDPOINTS,
  ...LOBBY_ENDPOINTS,
  ...LOBBY_MATCHMAKING_ENDPOINTS,
  ...LOBBY_PROPOSAL_ENDPOINTS,
  ...LOBBY_EVENT_ENDPOINTS,
  ...MATCH_ENDPOINTS,
  ...PLAYER_ENDPOINTS,
  ...BAN_ENDPOINTS,
  ...RATING_ENDPOINTS,
  ...HISTORY_ENDPOINTS,
  ...PROBLEM_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...PROJECT_EVENT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...SYSTEM_ENDPOINTS,
  ...ERROR_ENDPOINTS,
]
