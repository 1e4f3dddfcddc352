import { type Ban, withoutIdentity } from '../ban/ban'
import type { Build } from '../build/build'
import { type SentMessageType, TEST_MESSAGE_TYPE } from '../catalog/message-types'
import { playerLabels } from '../lobby/labels'
import type { Lobby } from '../lobby/lobby'
import { bannedFrom } from '../lobby/members'
import { inMessage } from '../match/in-message'
import { matchLabels } from '../match/labels'
import { ERASED, type Match } from '../match/match'
import { erased } from '../match/roster'
import type { KeptProblem } from '../problem/kept-problem'
import type { GameServer, ServerSummary } from '../server/game-server'
import type { Instant } from '../shared/time'

/** Subject of a message, in its state after the commit. Builds are without their logs. */
export type MessageSubject =
  | {
      /** A match that changed. */
      readonly kind: 'match'
      /** The match. */
      readonly match: Match
      /** Server of the match; null without one. */
      readonly server: ServerSummary | null
    }
  | {
      /** A lobby that was deleted. */
      readonly kind: 'lobby'
      /** The lobby. */
      readonly lobby: Lobby
    }
  | {
      /** A game server that changed its status. */
      readonly kind: 'server'
      /** The server. */
      readonly server: GameServer
    }
  | {
      /** A build that was processed. */
      readonly kind: 'build'
      /** The build. */
      readonly build: Build
    }
  | {
      /** A player whose ban was set or lifted. */
      readonly kind: 'player'
      /** The ban. */
      readonly ban: Ban
    }
  | {
      /** A problem that was opened or closed. */
      readonly kind: 'problem'
      /** The problem. */
      readonly problem: KeptProblem
    }
  | {
      /** A webhook that is tested. */
      readonly kind: 'webhook'
      /** Id of the webhook. */
      readonly webhookId: string
    }

/** One event for all webhooks that subscribed to it, written in the commit that caused it. */
export interface Message {
  /**
   * Id of the message, sent as the header `webhook-id` in every attempt. A receiver that has already seen this id has received the message
   * before.
   */
  readonly id: string
  /** Version of the row. */
  readonly version: number
  /** Project of the event. */
  readonly projectId: string
  /** Type of the event. */
  readonly type: SentMessageType
  /** The changed object. */
  readonly subject: MessageSubject
  /** Trace context of the subject; absent without a trace. */
  readonly trace?: string
  /** Time of the event. */
  readonly createdAt: Instant
}

export const newMessage = (given: Omit<Message, 'version'>): Message => ({ ...given, version: 1 })

export const testMessage = (given: Omit<Message, 'version' | 'type' | 'subject'>, webhookId: string): Message =>
  newMessage({ ...given, type: TEST_MESSAGE_TYPE, subject: { kind: 'webhook', webhookId } })

/** Returns the ids of the players in a message about a lobby. */
function playersOf({ subject }: Message): readonly string[] {
  if (subject.kind === 'player') return subject.ban.playerId === null ? [] : [subject.ban.playerId]
  if (subject.kind !== 'lobby') return []
  const { players, hostPlayerId } = subject.lobby
  return [...players.map(({ playerId }) => playerId), hostPlayerId, ...bannedFrom(subject.lobby)].filter(
    (playerId) => playerId !== ERASED,
  )
}

/** Returns the labels by which a message is found: its players. */
export const messageLabels = (message: Message): readonly string[] =>
  message.subject.kind === 'match'
    ? matchLabels(message.subject.match)
    : playerLabels(message.projectId, playersOf(message))

/** Returns the message without a player's data. In a match the seat stays, without the player's id and state. */
export function withoutPlayer(message: Message, playerId: string): Message {
  const { subject } = message
  const next = { ...message, version: message.version + 1 }
  if (subject.kind === 'match') return { ...next, subject: { ...subject, match: erased(subject.match, playerId) } }
  if (subject.kind === 'player') return { ...next, subject: { ...subject, ban: withoutIdentity(subject.ban) } }
  if (subject.kind !== 'lobby') return next
  // A proposal contains player ids, and the sentence of an exit may contain them too.
  const { lobby } = subject
  const { proposal: _, ...kept } = lobby
  const players = lobby.players.filter((player) => player.playerId !== playerId)
  const hostPlayerId = lobby.hostPlayerId === playerId ? ERASED : lobby.hostPlayerId
  const banned = bannedFrom(lobby).filter((id) => id !== playerId)
  return { ...next, subject: { kind: 'lobby', lobby: { ...kept, players, hostPlayerId, banned, lastExit: null } } }
}

/** Returns the body of a message with the field names of this package, for embedding applications without the HTTP API. */
export const plainBody = ({ id, type, createdAt, projectId, subject }: Message): string =>
  JSON.stringify({ id, type, createdAt, projectId, data: dataOf(subject) })

function dataOf(subject: MessageSubject): unknown {
  switch (subject.kind) {
    case 'match':
      return { ...inMessage(subject.match), server: subject.server }
    case 'lobby':
      return subject.lobby
    case 'server':
      return subject.server
    case 'build':
      return subject.build
    case 'player':
      return subject.ban
    case 'problem':
      return subject.problem
    case 'webhook':
      return { webhookId: subject.webhookId }
  }
}
