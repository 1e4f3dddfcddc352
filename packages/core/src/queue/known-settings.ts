import type { ValidationIssue } from '../errors/service-error'
import { type NamesOf, unknownFields } from '../shared/known-names'
import { DEFAULT_INVITE_CODE_CONFIG } from './invite-code'
import {
  type BackfillSettings,
  QUEUE_DEFAULTS,
  type QueueMatchmaking,
  type QueueSettings,
  type ReadyCheck,
  type ServerSettings,
  type WarmSettings,
} from './queue'

const SETTINGS = [...Object.keys(QUEUE_DEFAULTS), 'name', 'inviteCodeConfig']
const SERVER_SETTINGS: NamesOf<ServerSettings> = {
  source: true,
  versionTag: true,
  version: true,
  region: true,
  tier: true,
  networkPorts: true,
  readiness: true,
  startupArgs: true,
  ttl: true,
  autoRestart: true,
  customData: true,
  warm: true,
}

const WARM: { readonly [Name in keyof Required<WarmSettings>]: true } = { min: true, buffer: true }

const MATCHMAKING: NamesOf<QueueMatchmaking> = {
  teams: true,
  playersPerTeam: true,
  minTeams: true,
  minPlayersPerTeam: true,
  maxSizeDifference: true,
  teamComposition: true,
  useVersionFromState: true,
  allowedVersions: true,
  maxPartySize: true,
  partialAfterSeconds: true,
  expansionAge: true,
  rules: true,
  serverRegion: true,
  timeoutSeconds: true,
  backfill: true,
  readyCheck: true,
}

const BACKFILL: { readonly [Name in keyof Required<BackfillSettings>]: true } = {
  automatic: true,
  priority: true,
  timeoutSeconds: true,
}

const READY_CHECK: { readonly [Name in keyof Required<ReadyCheck>]: true } = {
  timeoutSeconds: true,
  penaltySeconds: true,
}

/**
 * Settings that nobody knows, as an embedder may send them: one that was misspelled must not pass in silence. Over HTTP the codec has
 * refused them before.
 */
export const unknownSettings = (settings: QueueSettings): ValidationIssue[] => [
  ...unknownFields(settings, SETTINGS),
  ...unknownFields(settings.inviteCodeConfig, Object.keys(DEFAULT_INVITE_CODE_CONFIG), 'inviteCodeConfig.'),
  ...unknownFields(settings.serverSettings, Object.keys(SERVER_SETTINGS), 'serverSettings.'),
  ...unknownFields(settings.serverSettings?.warm, Object.keys(WARM), 'serverSettings.warm.'),
  ...unknownFields(settings.matchmaking, Object.keys(MATCHMAKING), 'matchmaking.'),
  ...unknownFields(settings.matchmaking?.backfill, Object.keys(BACKFILL), 'matchmaking.backfill.'),
  ...unknownFields(settings.matchmaking?.readyCheck, Object.keys(READY_CHECK), 'matchmaking.readyCheck.'),
]
