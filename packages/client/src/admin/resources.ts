import type {
  ApiKey,
  Arrival,
  Arrivals,
  AssignedServer,
  Backfill,
  Delivery,
  FoundPlayer,
  KeysMintBody,
  Lobby,
  Match,
  MatchesAssignBody,
  MatchesBackfillBody,
  MintedApiKey,
  PlayerAuth,
  Project,
  ProjectProblem,
  ProjectsSetPlayerAuthBody,
  Queue,
  QueueHistoryEntry,
  QueueStats,
  QueuesCreateBody,
  QueuesUpdateBody,
  Region,
  Server,
  ServerLogs,
  ServersCreateBody,
  Usage,
  Webhook,
  WebhooksCreateBody,
  WebhooksUpdateBody,
  WebhookWithSecret,
} from '../api/types'
import { isMatchyardError } from '../errors'
import { part, Resource } from './resource'

/** Queues. */
export class Queues extends Resource {
  /** Makes a queue. Rejects with `QUEUE_EXISTS`, `VALIDATION_FAILED`, `PLAN_LIMIT_EXCEEDED`. */
  create(queue: QueuesCreateBody): Promise<Queue> {
    return this.call('POST', '/queues', queue)
  }

  /** Makes the queue, or brings the one of this id to these settings: what a deployment calls each time. */
  async ensure(queue: QueuesCreateBody): Promise<Queue> {
    const { queue_id: id, ...settings } = queue
    try {
      return await this.create(queue)
    } catch (error) {
      if (!isMatchyardError(error, 'QUEUE_EXISTS')) throw error
      return this.update(id, settings)
    }
  }

  /** One queue. Rejects with `QUEUE_NOT_FOUND`. */
  get(queueId: string): Promise<Queue> {
    return this.read(`/queues/${part(queueId)}`)
  }

  /** All of them. */
  list(): AsyncGenerator<Queue, void, undefined> {
    return this.pages('/queues')
  }

  /** Changes what is named; a nested object is replaced whole. */
  update(queueId: string, settings: QueuesUpdateBody): Promise<Queue> {
    return this.call('PATCH', `/queues/${part(queueId)}`, settings)
  }

  /** Deletes a queue. Rejects with `QUEUE_IN_USE` while a lobby lives in it. */
  delete(queueId: string): Promise<void> {
    return this.call('DELETE', `/queues/${part(queueId)}`)
  }

  /** Who searches now, and how long the last hour waited. */
  stats(queueId: string): Promise<QueueStats> {
    return this.read(`/queues/${part(queueId)}/stats`)
  }

  /**
   * Who came to the queue in the last day, and how it ended; first those whose stay is over, the oldest first. A stay that ends meanwhile
   * may be told twice. `since` (ISO 8601) leaves out who entered before.
   */
  async *arrivals(
    queueId: string,
    query: { readonly since?: string | undefined } = {},
  ): AsyncGenerator<Arrival, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const page: Arrivals = await this.read(`/queues/${part(queueId)}/arrivals`, { ...query, limit: 1_000, cursor })
      yield* page.data
      if (page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }

  /** Who changed the queue, when and what: its newest 100 versions, the newest first. */
  history(queueId: string): AsyncGenerator<QueueHistoryEntry, void, undefined> {
    return this.pages(`/queues/${part(queueId)}/history`)
  }

  /** Gives the queue the settings again that it had at a version of its history. Rejects with `QUEUE_VERSION_NOT_FOUND`. */
  restore(queueId: string, version: number): Promise<Queue> {
    return this.call('POST', `/queues/${part(queueId)}/restore`, { version })
  }
}

/** Which servers are listed. */
export interface ListServers {
  /** In one status. */
  readonly status?: Server['status'] | undefined
  /** In one region. */
  readonly region?: Region | undefined
  /** Of one match. */
  readonly matchId?: string | undefined
  /** Of builds of one name. */
  readonly versionTag?: string | undefined
}

/** Game servers. */
export class Servers extends Resource {
  /** Launches a server of its own, outside any match; it is `launching`. Rejects with `BUILD_NOT_READY`, `PLAN_LIMIT_EXCEEDED`. */
  create(server: ServersCreateBody): Promise<Server> {
    return this.call('POST', '/servers', server)
  }

  /** One server. Rejects with `SERVER_NOT_FOUND`. */
  get(instanceId: string): Promise<Server> {
    return this.read(`/servers/${part(instanceId)}`)
  }

  /** Servers, those that have ended too. */
  list({ matchId, versionTag, ...same }: ListServers = {}): AsyncGenerator<Server, void, undefined> {
    return this.pages('/servers', { ...same, match_id: matchId, version_tag: versionTag })
  }

  /** Stops a server: ten seconds of grace, then it is ended. One that has ended is answered unchanged. */
  stop(instanceId: string): Promise<Server> {
    return this.call('DELETE', `/servers/${part(instanceId)}`)
  }

  /** Starts a running server again, in place. Rejects with `INVALID_SERVER_STATE`. */
  restart(instanceId: string): Promise<Server> {
    return this.call('POST', `/servers/${part(instanceId)}/restart`)
  }

  /** What it has said last: 200 lines unless said, at most 1,000; only what came after `since` (ISO 8601). */
  logs(instanceId: string, query: { readonly limit?: number; readonly since?: string } = {}): Promise<ServerLogs> {
    return this.read(`/servers/${part(instanceId)}/logs`, query)
  }
}

/** Which lobbies are listed. */
export interface ListLobbies {
  /** Of one queue. */
  readonly queueId?: string | undefined
  /** In one status. */
  readonly status?: Lobby['status'] | undefined
  /** In one region. */
  readonly region?: Region | undefined
  /** Private ones too; not unless said. */
  readonly includePrivate?: boolean | undefined
}

/** Which of all lobbies are listed. */
export interface AllLobbies {
  /** Of one queue. */
  readonly queueId?: string | undefined
  /** In one status. */
  readonly status?: Lobby['status'] | undefined
  /** In one region. */
  readonly region?: Region | undefined
  /** In which this player is. */
  readonly playerId?: string | undefined
  /** The one that has this invite code. */
  readonly code?: string | undefined
}

/** Which matches are listed. */
export interface ListMatches {
  /** Of one queue. */
  readonly queueId?: string | undefined
  /** In one status. */
  readonly status?: Match['status'] | undefined
}

/** Lobbies, of whomever (server key). */
export class AdminLobbies extends Resource {
  /** One lobby. Rejects with `LOBBY_NOT_FOUND`. */
  get(lobbyId: string): Promise<Lobby> {
    return this.read(`/lobbies/${part(lobbyId)}`)
  }

  /** The project's lobbies, the newest first. */
  list({ queueId, includePrivate, ...same }: ListLobbies = {}): AsyncGenerator<Lobby, void, undefined> {
    return this.pages('/lobbies', { ...same, queue_id: queueId, include_private: includePrivate })
  }

  /** Every live lobby of the project, of whatever visibility and status, the newest first: for dashboards. */
  all({ queueId, playerId, ...same }: AllLobbies = {}): AsyncGenerator<Lobby, void, undefined> {
    const query = { ...same, queue_id: queueId, player_id: playerId, scope: 'project' }
    return this.walk('/lobbies', query, 1_000)
  }

  /** Ends the lobby's match: its server is stopped, every lobby of it is `waiting` again, with `backend_ended`. */
  endMatch(lobbyId: string): Promise<Lobby> {
    return this.call('POST', `/lobbies/${part(lobbyId)}/end`)
  }

  /** Deletes a lobby. */
  delete(lobbyId: string): Promise<void> {
    return this.call('DELETE', `/lobbies/${part(lobbyId)}`)
  }
}

/** Matches (server key). */
export class Matches extends Resource {
  /** One match. Rejects with `MATCH_NOT_FOUND`. */
  get(matchId: string): Promise<Match> {
    return this.read(`/matches/${part(matchId)}`)
  }

  /** The project's matches, the newest first, those that are over too; as many as are asked for. */
  list({ queueId, status }: ListMatches = {}): AsyncGenerator<Match, void, undefined> {
    return this.walk('/matches', { queue_id: queueId, status }, 100)
  }

  /** Says where a match of a queue with servers of your own is played. Rejects with `INVALID_MATCH_STATE`. */
  assign(matchId: string, server: MatchesAssignBody): Promise<AssignedServer> {
    return this.call('POST', `/matches/${part(matchId)}/server`, server)
  }

  /** Asks for newcomers for open seats; replaces a request that is there. */
  backfill(matchId: string, request: MatchesBackfillBody = {}): Promise<Backfill> {
    return this.call('POST', `/matches/${part(matchId)}/backfill`, request)
  }

  /** What is still asked for. Rejects with `BACKFILL_NOT_FOUND` where nothing is. */
  getBackfill(matchId: string): Promise<Backfill> {
    return this.read(`/matches/${part(matchId)}/backfill`)
  }

  /** Asks for nobody any more. */
  cancelBackfill(matchId: string): Promise<void> {
    return this.call('DELETE', `/matches/${part(matchId)}/backfill`)
  }
}

/** Webhooks: addresses of yours that are told what happens. */
export class Webhooks extends Resource {
  /** Makes a webhook; the answer has its `secret`, this once. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `WEBHOOK_LIMIT`. */
  create(webhook: WebhooksCreateBody): Promise<WebhookWithSecret> {
    return this.call('POST', '/webhooks', webhook)
  }

  /** One webhook. Rejects with `WEBHOOK_NOT_FOUND`. */
  get(webhookId: string): Promise<Webhook> {
    return this.read(`/webhooks/${part(webhookId)}`)
  }

  /** All of them, the oldest first. */
  list(): AsyncGenerator<Webhook, void, undefined> {
    return this.pages('/webhooks')
  }

  /** Changes what is named; `enabled: true` also clears `disabled_reason`. */
  update(webhookId: string, changes: WebhooksUpdateBody): Promise<Webhook> {
    return this.call('PATCH', `/webhooks/${part(webhookId)}`, changes)
  }

  /** Deletes a webhook. */
  delete(webhookId: string): Promise<void> {
    return this.call('DELETE', `/webhooks/${part(webhookId)}`)
  }

  /** Draws another secret; the one before signs too for 24 hours. */
  rotateSecret(webhookId: string): Promise<WebhookWithSecret> {
    return this.call('POST', `/webhooks/${part(webhookId)}/rotate-secret`)
  }

  /** Sends a message of the type `webhook.test`. */
  test(webhookId: string): Promise<Delivery> {
    return this.call('POST', `/webhooks/${part(webhookId)}/test`)
  }

  /** What was sent in the last seven days, and what became of it. */
  deliveries(
    webhookId: string,
    query: { readonly status?: Delivery['status'] } = {},
  ): AsyncGenerator<Delivery, void, undefined> {
    return this.pages(`/webhooks/${part(webhookId)}/deliveries`, query)
  }

  /** Sends a delivery again. */
  redeliver(webhookId: string, deliveryId: string): Promise<Delivery> {
    return this.call('POST', `/webhooks/${part(webhookId)}/deliveries/${part(deliveryId)}/redeliver`)
  }
}

/** Players (server key). */
export class Players extends Resource {
  /** Where a player is, what it played last, and how its lobbies came back to `waiting`; of one whom nobody knows empty lists. */
  find(playerId: string): Promise<FoundPlayer> {
    return this.read(`/players/${part(playerId)}`)
  }

  /** Erases a player: they leave their lobbies, and within a day nothing kept has their id or state. */
  erase(playerId: string): Promise<void> {
    return this.call('DELETE', `/players/${part(playerId)}`)
  }
}

/** What is wrong in the project. */
export class Problems extends Resource {
  /** In sentences, the gravest first, at most 50. */
  async list(): Promise<readonly ProjectProblem[]> {
    return (await this.read<{ readonly problems: readonly ProjectProblem[] }>('/problems')).problems
  }
}

/** What was used, and what it costs (session). */
export class Usages extends Resource {
  /** Of a month (`2026-03`); of the present one unless said. */
  get(month?: string): Promise<Usage> {
    return this.read('/billing/usage', { month })
  }
}

/** The account's projects (session). */
export class Projects extends Resource {
  /** All of them. */
  list(): AsyncGenerator<Project, void, undefined> {
    return this.pages('/projects')
  }

  /** How players prove who they are, without secrets. */
  playerAuth(projectId: string): Promise<PlayerAuth> {
    return this.read(`/projects/${part(projectId)}/player-auth`)
  }

  /** Says how players prove who they are; a secret that was generated is in the answer, this once. */
  setPlayerAuth(projectId: string, auth: ProjectsSetPlayerAuthBody): Promise<PlayerAuth> {
    return this.call('PUT', `/projects/${part(projectId)}/player-auth`, auth)
  }
}

/** Keys of the account's projects (session). */
export class Keys extends Resource {
  /** Those of a project, the oldest first, revoked ones too, without their values. */
  list(projectId: string): AsyncGenerator<ApiKey, void, undefined> {
    return this.pages(`/projects/${part(projectId)}/keys`)
  }

  /** Makes a key; its value is in the answer, this once. With `expires_in` (seconds, 60 to 43,200) it holds so long. */
  mint(projectId: string, key: KeysMintBody): Promise<MintedApiKey> {
    return this.call('POST', `/projects/${part(projectId)}/keys`, key)
  }

  /** Revokes a key: it fails at once. Rejects with `KEY_REVOKED`, `KEY_NOT_FOUND`. */
  revoke(projectId: string, keyId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}/keys/${part(keyId)}`)
  }
}
