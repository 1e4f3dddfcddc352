// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.
import type {
  ApiKey,
  Arrival,
  AssignedServer,
  Backfill,
  Build,
  BuildLogs,
  BuildsCreateUploadBody,
  BuildsRegisterImageBody,
  BuildsUpdateBody,
  CreatedProject,
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
  ProjectsCreateBody,
  ProjectsSetPlayerAuthBody,
  Queue,
  QueueHistoryEntry,
  QueueStats,
  QueuesCreateBody,
  QueuesUpdateBody,
  Server,
  ServerLogs,
  ServersCreateBody,
  UploadUrl,
  Usage,
  Webhook,
  WebhookWithSecret,
  WebhooksCreateBody,
  WebhooksUpdateBody,
} from '../api/types'
import { part, Resource } from './resource'
import type {
  ListBuilds,
  ListLobbies,
  ListMatches,
  ListServers,
} from './types'

/** Programs that game servers run. */
export class PlainBuilds extends Resource {
  /** Makes a build and the URL that takes its ZIP, once, within 15 minutes. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  protected createUpload(body: BuildsCreateUploadBody): Promise<UploadUrl> {
    return this.call('POST', '/builds/upload-url', body)
  }

  /** Makes a build of a container image, which is then pulled and validated. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  protected createOfImage(body: BuildsRegisterImageBody): Promise<Build> {
    return this.call('POST', '/builds/docker-image', body)
  }

  /** A project's builds, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list({ buildType, ...same }: ListBuilds = {}): AsyncGenerator<Build, void, undefined> {
    return this.pages('/builds', { ...same, build_type: buildType })
  }

  /** A build, also a deleted one. Rejects with `BUILD_NOT_FOUND`. */
  get(buildId: string): Promise<Build> {
    return this.read(`/builds/${part(buildId)}`)
  }

  /** Disables a build, which launches nothing new then, or enables it again. Rejects with `BUILD_NOT_FOUND`. */
  update(buildId: string, body: BuildsUpdateBody): Promise<Build> {
    return this.call('PATCH', `/builds/${part(buildId)}`, body)
  }

  /** Deletes a build that no live server runs. Rejects with `BUILD_NOT_FOUND`, `BUILD_IN_USE`. */
  delete(buildId: string): Promise<void> {
    return this.call('DELETE', `/builds/${part(buildId)}`)
  }

  /** The full output of the processing, oldest first. Rejects with `BUILD_NOT_FOUND`. */
  logs(buildId: string): Promise<BuildLogs> {
    return this.read(`/builds/${part(buildId)}/logs`)
  }
}

/** Queues (server key). */
export class PlainQueues extends Resource {
  /** Makes a queue: how its lobbies behave, are paired and get their server. Rejects with `PLAN_LIMIT_EXCEEDED`, `QUEUE_NOT_FOUND`, `QUEUE_EXISTS`. */
  create(body: QueuesCreateBody): Promise<Queue> {
    return this.call('POST', '/queues', body)
  }

  /** The project's queues, by queue id. */
  list(): AsyncGenerator<Queue, void, undefined> {
    return this.pages('/queues')
  }

  /** A queue. Rejects with `QUEUE_NOT_FOUND`. */
  get(queueId: string): Promise<Queue> {
    return this.read(`/queues/${part(queueId)}`)
  }

  /** Changes a queue from the next tick on; nested objects are replaced whole. Rejects with `QUEUE_NOT_FOUND`. */
  update(queueId: string, body: QueuesUpdateBody): Promise<Queue> {
    return this.call('PATCH', `/queues/${part(queueId)}`, body)
  }

  /** Removes a queue in which no lobby lives. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_IN_USE`. */
  delete(queueId: string): Promise<void> {
    return this.call('DELETE', `/queues/${part(queueId)}`)
  }

  /** Who searches, and how long the last hour waited. Rejects with `QUEUE_NOT_FOUND`. */
  stats(queueId: string): Promise<QueueStats> {
    return this.read(`/queues/${part(queueId)}/stats`)
  }

  /** Who came to the queue in the last day, and how it ended. Rejects with `QUEUE_NOT_FOUND`. */
  arrivals(queueId: string, query: {
    /** Only those who entered at or after this instant. */
    readonly since?: string | undefined
  } = {}): AsyncGenerator<Arrival, void, undefined> {
    return this.walk(`/queues/${part(queueId)}/arrivals`, query, 1000)
  }

  /** Who changed the queue, when and what, newest first. Rejects with `QUEUE_NOT_FOUND`. */
  history(queueId: string): AsyncGenerator<QueueHistoryEntry, void, undefined> {
    return this.pages(`/queues/${part(queueId)}/history`)
  }

  /** Gives the queue the settings again that it had at a version of its history. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_VERSION_NOT_FOUND`. */
  restore(queueId: string, version: number): Promise<Queue> {
    return this.call('POST', `/queues/${part(queueId)}/restore`, { version })
  }
}

/** Lobbies of all players (server key). */
export class PlainLobbies extends Resource {
  /** The project's lobbies, newest first; private ones only where they are asked for. */
  list({ queueId, includePrivate, ...same }: ListLobbies = {}): AsyncGenerator<Lobby, void, undefined> {
    return this.pages('/lobbies', { ...same, queue_id: queueId, include_private: includePrivate })
  }

  /** A lobby with its players and, once the match runs, its server. Rejects with `LOBBY_NOT_FOUND`. */
  get(lobbyId: string): Promise<Lobby> {
    return this.read(`/lobbies/${part(lobbyId)}`)
  }

  /** Ends a lobby. Rejects with `LOBBY_NOT_FOUND`. */
  delete(lobbyId: string): Promise<void> {
    return this.call('DELETE', `/lobbies/${part(lobbyId)}`)
  }

  /** Ends the match of a lobby. Rejects with `LOBBY_NOT_FOUND`, `INVALID_LOBBY_STATE`. */
  endMatch(lobbyId: string): Promise<Lobby> {
    return this.call('POST', `/lobbies/${part(lobbyId)}/end`)
  }
}

/** Game servers. */
export class Servers extends Resource {
  /** A project's game servers, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list({ matchId, versionTag, ...same }: ListServers = {}): AsyncGenerator<Server, void, undefined> {
    return this.pages('/servers', { ...same, match_id: matchId, version_tag: versionTag })
  }

  /** Launches a game server by itself; the answer does not wait for it. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`, `BUILD_NOT_READY`. */
  create(body: ServersCreateBody): Promise<Server> {
    return this.call('POST', '/servers', body)
  }

  /** The full game server. Rejects with `SERVER_NOT_FOUND`. */
  get(instanceId: string): Promise<Server> {
    return this.read(`/servers/${part(instanceId)}`)
  }

  /** Stops a game server; one that has ended is answered unchanged. Rejects with `SERVER_NOT_FOUND`. */
  stop(instanceId: string): Promise<Server> {
    return this.call('DELETE', `/servers/${part(instanceId)}`)
  }

  /** Restarts a running game server in place. Rejects with `SERVER_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  restart(instanceId: string): Promise<Server> {
    return this.call('POST', `/servers/${part(instanceId)}/restart`)
  }

  /** What the game server printed, oldest first. Rejects with `SERVER_NOT_FOUND`. */
  logs(instanceId: string, query: {
    /** So many lines at the most: the last ones. */
    readonly limit?: number | undefined
    /** Only lines that were written at or after this instant. */
    readonly since?: string | undefined
  } = {}): Promise<ServerLogs> {
    return this.read(`/servers/${part(instanceId)}/logs`, query)
  }
}

/** Matches (server key). */
export class Matches extends Resource {
  /** The project's matches, newest first, from a cursor on; proposals that came to nothing are left out. */
  list({ queueId, endReason, ...same }: ListMatches = {}): AsyncGenerator<Match, void, undefined> {
    return this.walk('/matches', { ...same, queue_id: queueId, end_reason: endReason }, 100)
  }

  /** A match: who plays in which team, and where. Rejects with `MATCH_NOT_FOUND`. */
  get(matchId: string): Promise<Match> {
    return this.read(`/matches/${part(matchId)}`)
  }

  /** A backend tells on which server of its own a match is played, or that it is played elsewhere now. Rejects with `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`. */
  assign(matchId: string, body: MatchesAssignBody): Promise<AssignedServer> {
    return this.call('POST', `/matches/${part(matchId)}/server`, body)
  }

  /** Asks for newcomers for open seats of a running match, in place of what it asked for before. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`. */
  backfill(matchId: string, body: MatchesBackfillBody = {}): Promise<Backfill> {
    return this.call('POST', `/matches/${part(matchId)}/backfill`, body)
  }

  /** What a match asks for now. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`. */
  getBackfill(matchId: string): Promise<Backfill> {
    return this.read(`/matches/${part(matchId)}/backfill`)
  }

  /** The match asks for nobody any more. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`. */
  cancelBackfill(matchId: string): Promise<void> {
    return this.call('DELETE', `/matches/${part(matchId)}/backfill`)
  }
}

/** Webhooks: addresses of yours that are told what happens. */
export class Webhooks extends Resource {
  /** Makes an address that is told what happens; its secret is shown this once. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `PROJECT_NOT_FOUND`, `WEBHOOK_NOT_FOUND`, `WEBHOOK_LIMIT`. */
  create(body: WebhooksCreateBody): Promise<WebhookWithSecret> {
    return this.call('POST', '/webhooks', body)
  }

  /** A project's webhooks, oldest first. Rejects with `PROJECT_NOT_FOUND`. */
  list(): AsyncGenerator<Webhook, void, undefined> {
    return this.pages('/webhooks')
  }

  /** A webhook, without its secret. Rejects with `WEBHOOK_NOT_FOUND`. */
  get(webhookId: string): Promise<Webhook> {
    return this.read(`/webhooks/${part(webhookId)}`)
  }

  /** Replaces the supplied fields, from the next event on. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `WEBHOOK_NOT_FOUND`. */
  update(webhookId: string, body: WebhooksUpdateBody): Promise<Webhook> {
    return this.call('PATCH', `/webhooks/${part(webhookId)}`, body)
  }

  /** Removes a webhook; what was still to be sent to it is not. Rejects with `WEBHOOK_NOT_FOUND`. */
  delete(webhookId: string): Promise<void> {
    return this.call('DELETE', `/webhooks/${part(webhookId)}`)
  }

  /** Another secret, shown this once; the one before signs too for 24 hours. Rejects with `WEBHOOK_NOT_FOUND`. */
  rotateSecret(webhookId: string): Promise<WebhookWithSecret> {
    return this.call('POST', `/webhooks/${part(webhookId)}/rotate-secret`)
  }

  /** What was sent in the last seven days, newest first. Rejects with `WEBHOOK_NOT_FOUND`. */
  deliveries(webhookId: string, query: {
    /** Only those in this status. */
    readonly status?: 'pending' | 'delivered' | 'failed' | undefined
  } = {}): AsyncGenerator<Delivery, void, undefined> {
    return this.pages(`/webhooks/${part(webhookId)}/deliveries`, query)
  }

  /** Sends the message of a delivery once more, under the same id, as a delivery of its own. Rejects with `NOT_FOUND`, `WEBHOOK_NOT_FOUND`. */
  redeliver(webhookId: string, deliveryId: string): Promise<Delivery> {
    return this.call('POST', `/webhooks/${part(webhookId)}/deliveries/${part(deliveryId)}/redeliver`)
  }

  /** Sends a message of the type webhook.test. Rejects with `WEBHOOK_NOT_FOUND`. */
  test(webhookId: string): Promise<Delivery> {
    return this.call('POST', `/webhooks/${part(webhookId)}/test`)
  }
}

/** Players (server key). */
export class Players extends Resource {
  /** Where a player is, what it played last and how its lobbies came back; one whom nobody knows has nothing. */
  find(playerId: string): Promise<FoundPlayer> {
    return this.read(`/players/${part(playerId)}`)
  }

  /** Takes a player out of its lobbies, and its id and state out of all that is kept. */
  erase(playerId: string): Promise<void> {
    return this.call('DELETE', `/players/${part(playerId)}`)
  }
}

/** What is wrong in the project. */
export class Problems extends Resource {
  /** What is wrong in a project, in sentences, the gravest first. Rejects with `PROJECT_NOT_FOUND`. */
  async list(): Promise<readonly ProjectProblem[]> {
    return (await this.read<{ readonly problems: readonly ProjectProblem[] }>('/problems')).problems
  }
}

/** What was used, and what it costs (session). */
export class Usages extends Resource {
  /** What a month has cost so far. */
  get(month?: string): Promise<Usage> {
    return this.read('/billing/usage', { month })
  }
}

/** The account's projects (session). */
export class Projects extends Resource {
  /** The account's projects, oldest first. */
  list(): AsyncGenerator<Project, void, undefined> {
    return this.pages('/projects')
  }

  /** Makes a project with a client key and a server key, their values shown this once. Rejects with `PLAN_LIMIT_EXCEEDED`. */
  create(body: ProjectsCreateBody): Promise<CreatedProject> {
    return this.call('POST', '/projects', body)
  }

  /** A project. Rejects with `PROJECT_NOT_FOUND`. */
  get(projectId: string): Promise<Project> {
    return this.read(`/projects/${part(projectId)}`)
  }

  /** Deletes a project with its builds, queues, lobbies and keys; it cannot be undone. Rejects with `PROJECT_NOT_FOUND`, `PROJECT_HAS_RUNNING_SERVERS`. */
  delete(projectId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}`)
  }

  /** Says how players of the project prove who they are; a generated secret is shown this once. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `PROJECT_NOT_FOUND`. */
  setPlayerAuth(projectId: string, body: ProjectsSetPlayerAuthBody): Promise<PlayerAuth> {
    return this.call('PUT', `/projects/${part(projectId)}/player-auth`, body)
  }

  /** How players of the project prove who they are, without secrets. Rejects with `PROJECT_NOT_FOUND`. */
  playerAuth(projectId: string): Promise<PlayerAuth> {
    return this.read(`/projects/${part(projectId)}/player-auth`)
  }
}

/** Keys of the account's projects (session). */
export class Keys extends Resource {
  /** The project's keys, revoked ones too, without their values. Rejects with `PROJECT_NOT_FOUND`. */
  list(projectId: string): AsyncGenerator<ApiKey, void, undefined> {
    return this.pages(`/projects/${part(projectId)}/keys`)
  }

  /** Mints a key; its value is shown this once. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  mint(projectId: string, body: KeysMintBody): Promise<MintedApiKey> {
    return this.call('POST', `/projects/${part(projectId)}/keys`, body)
  }

  /** Revokes a key: it fails at once; servers that it started go on. Rejects with `KEY_NOT_FOUND`, `PROJECT_NOT_FOUND`, `KEY_REVOKED`. */
  revoke(projectId: string, keyId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}/keys/${part(keyId)}`)
  }
}
