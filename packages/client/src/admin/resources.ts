// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.
import type {
  ApiKey,
  Arrival,
  AssignedServer,
  AuditEntry,
  Backfill,
  Ban,
  BansSetBody,
  Budget,
  Build,
  BuildLogs,
  BuildsCreateUploadBody,
  BuildsRegisterImageBody,
  BuildsUpdateBody,
  Calibration,
  CreatedProject,
  Delivery,
  FoundPlayer,
  History,
  KeptProblem,
  KeysMintBody,
  Lobby,
  Machine,
  MachinesDrainBody,
  MachinesMintTokenBody,
  MadeInvitation,
  Match,
  MatchesAssignBody,
  MatchesBackfillBody,
  MatchesResultBody,
  MembersInviteBody,
  MembersSetRoleBody,
  Membership,
  MintedApiKey,
  MintedMachineToken,
  PlayerAuth,
  ProblemsAcknowledgeBody,
  ProblemsMuteBody,
  Project,
  ProjectMembers,
  ProjectProblem,
  ProjectsCreateBody,
  ProjectsSetBudgetBody,
  ProjectsSetPlayerAuthBody,
  Queue,
  QueueHistoryEntry,
  QueueStats,
  QueuesCreateBody,
  QueuesUpdateBody,
  Rating,
  RatingsSetBody,
  RatingsStartSeasonBody,
  Season,
  Secret,
  Server,
  ServerLogs,
  ServersCreateBody,
  Standing,
  StoppedServers,
  UploadUrl,
  Usage,
  Webhook,
  WebhookWithSecret,
  WebhooksCreateBody,
  WebhooksUpdateBody,
} from '../api/types'
import { part, Resource } from './resource'
import type {
  ListAudit,
  ListBuilds,
  ListLobbies,
  ListMatches,
  ListServers,
} from './types'

/** Programs that game servers run. */
export class PlainBuilds extends Resource {
  /** Creates a build and the URL that takes its ZIP, once, within 15 minutes. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  protected createUpload(body: BuildsCreateUploadBody): Promise<UploadUrl> {
    return this.call('POST', '/builds/upload-url', body)
  }

  /** Creates a build of a container image, which is then pulled and validated. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  protected createOfImage(body: BuildsRegisterImageBody): Promise<Build> {
    return this.call('POST', '/builds/docker-image', body)
  }

  /** Lists a project's builds, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list({ buildType, ...same }: ListBuilds = {}): AsyncGenerator<Build, void, undefined> {
    return this.pages('/builds', { ...same, build_type: buildType })
  }

  /** Returns a build, also a deleted one. Rejects with `BUILD_NOT_FOUND`. */
  get(buildId: string): Promise<Build> {
    return this.read(`/builds/${part(buildId)}`)
  }

  /** Disables a build, so that no new server is launched from it; drains it; or enables it again. Rejects with `BUILD_NOT_FOUND`. */
  update(buildId: string, body: BuildsUpdateBody): Promise<Build> {
    return this.call('PATCH', `/builds/${part(buildId)}`, body)
  }

  /** Deletes a build that no live server runs. Rejects with `BUILD_NOT_FOUND`, `BUILD_IN_USE`. */
  delete(buildId: string): Promise<void> {
    return this.call('DELETE', `/builds/${part(buildId)}`)
  }

  /** Stops all servers that run a build now, and ends their matches. Rejects with `BUILD_NOT_FOUND`. */
  stop(buildId: string): Promise<StoppedServers> {
    return this.call('POST', `/builds/${part(buildId)}/stop`)
  }

  /** Returns the full log of the processing, oldest line first. Rejects with `BUILD_NOT_FOUND`. */
  logs(buildId: string): Promise<BuildLogs> {
    return this.read(`/builds/${part(buildId)}/logs`)
  }
}

/** Queues (server key). */
export class PlainQueues extends Resource {
  /** Creates a queue: settings of its lobbies, matchmaking and game servers. Rejects with `PLAN_LIMIT_EXCEEDED`, `QUEUE_NOT_FOUND`, `RATING_NOT_FOUND`, `QUEUE_EXISTS`. */
  create(body: QueuesCreateBody): Promise<Queue> {
    return this.call('POST', '/queues', body)
  }

  /** Lists the project's queues, sorted by queue id. */
  list(): AsyncGenerator<Queue, void, undefined> {
    return this.pages('/queues')
  }

  /** Returns a queue. Rejects with `QUEUE_NOT_FOUND`. */
  get(queueId: string): Promise<Queue> {
    return this.read(`/queues/${part(queueId)}`)
  }

  /** Changes a queue from the next matchmaking tick on; nested objects are replaced completely. Rejects with `QUEUE_NOT_FOUND`, `RATING_NOT_FOUND`. */
  update(queueId: string, body: QueuesUpdateBody): Promise<Queue> {
    return this.call('PATCH', `/queues/${part(queueId)}`, body)
  }

  /** Deletes a queue that has no lobby. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_IN_USE`. */
  delete(queueId: string): Promise<void> {
    return this.call('DELETE', `/queues/${part(queueId)}`)
  }

  /** Returns statistics of the queue: searching players, and waits of the last hour. Rejects with `QUEUE_NOT_FOUND`. */
  stats(queueId: string): Promise<QueueStats> {
    return this.read(`/queues/${part(queueId)}/stats`)
  }

  /** Lists the lobbies that entered the queue in the last day, with their outcomes. Rejects with `QUEUE_NOT_FOUND`. */
  arrivals(queueId: string, query: {
    /** Only lobbies that entered at or after this time. */
    readonly since?: string | undefined
  } = {}): AsyncGenerator<Arrival, void, undefined> {
    return this.walk(`/queues/${part(queueId)}/arrivals`, query, 1000)
  }

  /** Lists the changes of the queue with their authors, newest first. Rejects with `QUEUE_NOT_FOUND`. */
  history(queueId: string): AsyncGenerator<QueueHistoryEntry, void, undefined> {
    return this.pages(`/queues/${part(queueId)}/history`)
  }

  /** Restores the settings of the queue at a version of its history. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_VERSION_NOT_FOUND`, `RATING_NOT_FOUND`. */
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
export class PlainServers extends Resource {
  /** Lists a project's game servers, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list({ matchId, versionTag, buildId, buildVersion, endReason, ...same }: ListServers = {}): AsyncGenerator<Server, void, undefined> {
    return this.pages('/servers', { ...same, match_id: matchId, version_tag: versionTag, build_id: buildId, build_version: buildVersion, end_reason: endReason })
  }

  /** Launches a game server without a match; the answer does not wait for it. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`, `BUILD_NOT_READY`. */
  create(body: ServersCreateBody): Promise<Server> {
    return this.call('POST', '/servers', body)
  }

  /** Returns a game server with all its fields. Rejects with `SERVER_NOT_FOUND`. */
  get(instanceId: string): Promise<Server> {
    return this.read(`/servers/${part(instanceId)}`)
  }

  /** Stops a game server; a server that has ended is returned unchanged. Rejects with `SERVER_NOT_FOUND`. */
  stop(instanceId: string): Promise<Server> {
    return this.call('DELETE', `/servers/${part(instanceId)}`)
  }

  /** Restarts a running game server in place. Rejects with `SERVER_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  restart(instanceId: string): Promise<Server> {
    return this.call('POST', `/servers/${part(instanceId)}/restart`)
  }

  /** Returns the output of the game server, oldest line first. Rejects with `SERVER_NOT_FOUND`. */
  logs(instanceId: string, query: {
    /** Maximum number of lines; the newest ones are returned. */
    readonly limit?: number | undefined
    /** Only lines that were written at or after this instant. */
    readonly since?: string | undefined
  } = {}): Promise<ServerLogs> {
    return this.read(`/servers/${part(instanceId)}/logs`, query)
  }
}

/** Matches (server key). */
export class Matches extends Resource {
  /** The project's matches, or those of one player, newest first. */
  list({ queueId, playerId, endReason, buildId, buildVersion, ...same }: ListMatches = {}): AsyncGenerator<Match, void, undefined> {
    return this.walk('/matches', { ...same, queue_id: queueId, player_id: playerId, end_reason: endReason, build_id: buildId, build_version: buildVersion }, 100)
  }

  /** Returns a match with its teams and its server. Rejects with `MATCH_NOT_FOUND`. */
  get(matchId: string): Promise<Match> {
    return this.read(`/matches/${part(matchId)}`)
  }

  /** Assigns a server of your own to a match, or changes the assigned server. Rejects with `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`. */
  assign(matchId: string, body: MatchesAssignBody): Promise<AssignedServer> {
    return this.call('POST', `/matches/${part(matchId)}/server`, body)
  }

  /** Requests newcomers for open seats of a running match, in place of an earlier request. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`. */
  backfill(matchId: string, body: MatchesBackfillBody = {}): Promise<Backfill> {
    return this.call('POST', `/matches/${part(matchId)}/backfill`, body)
  }

  /** Returns the current request for players of a match. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`. */
  getBackfill(matchId: string): Promise<Backfill> {
    return this.read(`/matches/${part(matchId)}/backfill`)
  }

  /** Withdraws the request for players of a match. Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`. */
  cancelBackfill(matchId: string): Promise<void> {
    return this.call('DELETE', `/matches/${part(matchId)}/backfill`)
  }

  /** Records the result of a match, once; `amend: true` corrects it, and `end: true` ends the match too. Rejects with `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `RESULT_EXISTS`. */
  result(matchId: string, body: MatchesResultBody): Promise<Match> {
    return this.call('POST', `/matches/${part(matchId)}/result`, body)
  }
}

/** Webhooks: addresses of yours that are told what happens. */
export class Webhooks extends Resource {
  /** Creates a webhook; its secret is shown only once. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `PROJECT_NOT_FOUND`, `WEBHOOK_NOT_FOUND`, `WEBHOOK_LIMIT`. */
  create(body: WebhooksCreateBody): Promise<WebhookWithSecret> {
    return this.call('POST', '/webhooks', body)
  }

  /** Lists a project's webhooks, oldest first. Rejects with `PROJECT_NOT_FOUND`. */
  list(): AsyncGenerator<Webhook, void, undefined> {
    return this.pages('/webhooks')
  }

  /** Returns a webhook without its secret. Rejects with `WEBHOOK_NOT_FOUND`. */
  get(webhookId: string): Promise<Webhook> {
    return this.read(`/webhooks/${part(webhookId)}`)
  }

  /** Replaces the given fields, from the next event on. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `WEBHOOK_NOT_FOUND`. */
  update(webhookId: string, body: WebhooksUpdateBody): Promise<Webhook> {
    return this.call('PATCH', `/webhooks/${part(webhookId)}`, body)
  }

  /** Deletes a webhook; its waiting messages are not sent. Rejects with `WEBHOOK_NOT_FOUND`. */
  delete(webhookId: string): Promise<void> {
    return this.call('DELETE', `/webhooks/${part(webhookId)}`)
  }

  /** Replaces the secret; the new one is shown only once. The old secret also signs for 24 hours. Rejects with `WEBHOOK_NOT_FOUND`. */
  rotateSecret(webhookId: string): Promise<WebhookWithSecret> {
    return this.call('POST', `/webhooks/${part(webhookId)}/rotate-secret`)
  }

  /** Lists the deliveries of the last seven days, newest first. Rejects with `WEBHOOK_NOT_FOUND`. */
  deliveries(webhookId: string, query: {
    /** Only deliveries in this status. */
    readonly status?: 'pending' | 'delivered' | 'failed' | undefined
  } = {}): AsyncGenerator<Delivery, void, undefined> {
    return this.pages(`/webhooks/${part(webhookId)}/deliveries`, query)
  }

  /** Sends the message of a delivery again with the same id, as a new delivery. Rejects with `NOT_FOUND`, `WEBHOOK_NOT_FOUND`. */
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
  /** Returns a player's live match, searches, lobbies, last matches and last exits; all are empty for an unknown player. */
  find(playerId: string): Promise<FoundPlayer> {
    return this.read(`/players/${part(playerId)}`)
  }

  /** Removes a player from its lobbies, and the player's id and state from all stored data. */
  erase(playerId: string): Promise<void> {
    return this.call('DELETE', `/players/${part(playerId)}`)
  }
}

/** Changes that people and server keys made, with their authors. */
export class AuditLog extends Resource {
  /** Lists the changes that people and server keys made, newest first, by cursor. Rejects with `PROJECT_NOT_FOUND`. */
  list(query: ListAudit = {}): AsyncGenerator<AuditEntry, void, undefined> {
    return this.walk('/audit', { ...query }, 200)
  }
}

/** Bans of players from the project. */
export class Bans extends Resource {
  /** Bans a player from the project or from some queues, in place of the player's present ban. Rejects with `BAN_NOT_FOUND`, `PROJECT_NOT_FOUND`, `QUEUE_NOT_FOUND`, `BAN_LIMIT`. */
  set(playerId: string, body: BansSetBody = {}): Promise<Ban> {
    return this.call('PUT', `/players/${part(playerId)}/ban`, body)
  }

  /** Returns the ban of a player. Rejects with `BAN_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  get(playerId: string): Promise<Ban> {
    return this.read(`/players/${part(playerId)}/ban`)
  }

  /** Lifts the ban of a player. Rejects with `BAN_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  delete(playerId: string): Promise<void> {
    return this.call('DELETE', `/players/${part(playerId)}/ban`)
  }

  /** Lists the project's bans, newest first, with those that ended in the last 30 days. Rejects with `PROJECT_NOT_FOUND`. */
  list(): AsyncGenerator<Ban, void, undefined> {
    return this.walk('/bans', {}, 100)
  }
}

/** Ratings of players, and their leaderboards (server key). */
export class Ratings extends Resource {
  /** Creates a rating, or replaces its settings. Rejects with `PLAN_LIMIT_EXCEEDED`, `RATING_NOT_FOUND`. */
  set(ratingId: string, body: RatingsSetBody): Promise<Rating> {
    return this.call('PUT', `/ratings/${part(ratingId)}`, body)
  }

  /** Returns a rating. Rejects with `RATING_NOT_FOUND`. */
  get(ratingId: string): Promise<Rating> {
    return this.read(`/ratings/${part(ratingId)}`)
  }

  /** Deletes a rating that no queue names, with all its standings. Rejects with `RATING_NOT_FOUND`, `RATING_IN_USE`. */
  delete(ratingId: string): Promise<void> {
    return this.call('DELETE', `/ratings/${part(ratingId)}`)
  }

  /** Lists the project's ratings, sorted by rating id. */
  list(): AsyncGenerator<Rating, void, undefined> {
    return this.pages('/ratings')
  }

  /** Begins a season of the rating. Rejects with `RATING_NOT_FOUND`. */
  startSeason(ratingId: string, body: RatingsStartSeasonBody): Promise<Season> {
    return this.call('POST', `/ratings/${part(ratingId)}/seasons`, body)
  }

  /** Lists the seasons of the rating, newest first. Rejects with `RATING_NOT_FOUND`. */
  seasons(ratingId: string): AsyncGenerator<Season, void, undefined> {
    return this.pages(`/ratings/${part(ratingId)}/seasons`)
  }

  /** Returns a part of the leaderboard: mu - 3 sigma from high to low. Rejects with `RATING_NOT_FOUND`. */
  leaderboard(ratingId: string, query: {
    /** Name of a season; empty: before the first one; absent: the present one. */
    readonly season?: string | undefined
    /** Player around whom the leaderboard is read: up to ten players on either side. */
    readonly around?: string | undefined
    /** Whether the players in placement are listed, in place of the others. */
    readonly placement?: boolean | undefined
  } = {}): AsyncGenerator<Standing, void, undefined> {
    return this.walk(`/ratings/${part(ratingId)}/leaderboard`, query, 100)
  }

  /** Compares predicted with real outcomes of the rated matches, in ten buckets. Rejects with `RATING_NOT_FOUND`. */
  calibration(ratingId: string): Promise<Calibration> {
    return this.read(`/ratings/${part(ratingId)}/calibration`)
  }

  /** Lists a player's standings in the present seasons, sorted by rating id. */
  ofPlayer(playerId: string): AsyncGenerator<Standing, void, undefined> {
    return this.pages(`/players/${part(playerId)}/ratings`)
  }
}

/** Machines that run game servers (session of an operator). */
export class Machines extends Resource {
  /** Lists the machines of the installation, for accounts of operators. Rejects with `NOT_FOUND`. */
  async list(): Promise<readonly Machine[]> {
    return (await this.read<{ readonly machines: readonly Machine[] }>('/machines')).machines
  }

  /** Gives a machine no new servers; its servers continue. Rejects with `MACHINE_NOT_FOUND`, `NOT_FOUND`. */
  cordon(machineId: string): Promise<Machine> {
    return this.call('POST', `/machines/${part(machineId)}/cordon`)
  }

  /** Gives a machine servers again, and ends its drain. Rejects with `MACHINE_NOT_FOUND`, `NOT_FOUND`. */
  uncordon(machineId: string): Promise<Machine> {
    return this.call('POST', `/machines/${part(machineId)}/uncordon`)
  }

  /** Empties a machine: its matches end by themselves, or at a deadline. Rejects with `MACHINE_NOT_FOUND`, `NOT_FOUND`. */
  drain(machineId: string, body: MachinesDrainBody = {}): Promise<Machine> {
    return this.call('POST', `/machines/${part(machineId)}/drain`, body)
  }

  /** Creates the token of an agent, and its machine if there is none; the token is shown only once. Rejects with `NOT_FOUND`. */
  mintToken(machineId: string, body: MachinesMintTokenBody = {}): Promise<MintedMachineToken> {
    return this.call('POST', `/machines/${part(machineId)}/token`, body)
  }

  /** Revokes the token of an agent: its calls fail at once. Rejects with `MACHINE_NOT_FOUND`, `NOT_FOUND`. */
  revokeToken(machineId: string): Promise<void> {
    return this.call('DELETE', `/machines/${part(machineId)}/token`)
  }
}

/** Secrets for environment variables of game servers. */
export class Secrets extends Resource {
  /** Sets the value of a secret for environment variables of game servers. Rejects with `PROJECT_NOT_FOUND`, `SECRET_LIMIT`. */
  set(name: string, value: string): Promise<void> {
    return this.call('PUT', `/secrets/${part(name)}`, { value })
  }

  /** Deletes a secret; launches that name it fail from now on. Rejects with `PROJECT_NOT_FOUND`, `SECRET_NOT_FOUND`. */
  delete(name: string): Promise<void> {
    return this.call('DELETE', `/secrets/${part(name)}`)
  }

  /** Lists the names and times of the project's secrets. Rejects with `PROJECT_NOT_FOUND`. */
  async list(): Promise<readonly Secret[]> {
    return (await this.read<{ readonly secrets: readonly Secret[] }>('/secrets')).secrets
  }
}

/** Figures of the project over time. */
export class Metrics extends Resource {
  /** Returns figures of the project, or of a queue, over time. Rejects with `PROJECT_NOT_FOUND`. */
  get({ queueId, ...same }: {
    /** Series, separated by commas: searching, waits, matches, exits, crashes, ends, cost, servers, spread, streams, refusals; all by default. */
    readonly series?: string | undefined
    /** The queue. By default the sums over all queues of the project. */
    readonly queueId?: string | undefined
    /** Begin; by default an hour before `to`. */
    readonly from?: string | undefined
    /** End; by default now. */
    readonly to?: string | undefined
    /** Length of a slot. By default the shortest one that is kept since `from` and gives at most 500 points for each series, and 5,000 in all. */
    readonly step?: '1m' | '5m' | '1h' | '1d' | undefined
  } = {}): Promise<History> {
    return this.read('/metrics', { ...same, queue_id: queueId })
  }
}

/** What is wrong in the project. */
export class Problems extends Resource {
  /** Lists the problems of a project, the most severe first and muted ones last. Rejects with `PROJECT_NOT_FOUND`. */
  async list(): Promise<readonly ProjectProblem[]> {
    return (await this.read<{ readonly problems: readonly ProjectProblem[] }>('/problems')).problems
  }

  /** Records that somebody looks after an open problem, with a note. Rejects with `PROBLEM_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  acknowledge(problemId: string, body: ProblemsAcknowledgeBody = {}): Promise<KeptProblem> {
    return this.call('POST', `/problems/${part(problemId)}/acknowledge`, body)
  }

  /** Mutes an open problem for a time, or ends its mute. Rejects with `PROBLEM_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  mute(problemId: string, body: ProblemsMuteBody): Promise<KeptProblem> {
    return this.call('POST', `/problems/${part(problemId)}/mute`, body)
  }
}

/** What was used, and what it costs (session). */
export class Usages extends Resource {
  /** Returns the usage and cost of a month. */
  get(month?: string): Promise<Usage> {
    return this.read('/billing/usage', { month })
  }
}

/** The account's projects (session). */
export class Projects extends Resource {
  /** Lists the account's projects, oldest first. */
  list(): AsyncGenerator<Project, void, undefined> {
    return this.pages('/projects')
  }

  /** Creates a project with a client key and a server key; their values are shown only once. Rejects with `PLAN_LIMIT_EXCEEDED`. */
  create(body: ProjectsCreateBody): Promise<CreatedProject> {
    return this.call('POST', '/projects', body)
  }

  /** Returns a project. Rejects with `PROJECT_NOT_FOUND`. */
  get(projectId: string): Promise<Project> {
    return this.read(`/projects/${part(projectId)}`)
  }

  /** Deletes a project with its builds, queues, lobbies and keys; it cannot be undone. Rejects with `PROJECT_NOT_FOUND`, `PROJECT_HAS_RUNNING_SERVERS`. */
  delete(projectId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}`)
  }

  /** Sets how players of the project prove their identity; a generated secret is shown only once. Rejects with `WEBHOOK_ADDRESS_REFUSED`, `PROJECT_NOT_FOUND`. */
  setPlayerAuth(projectId: string, body: ProjectsSetPlayerAuthBody): Promise<PlayerAuth> {
    return this.call('PUT', `/projects/${part(projectId)}/player-auth`, body)
  }

  /** Returns how players of the project prove their identity, without secrets. Rejects with `PROJECT_NOT_FOUND`. */
  playerAuth(projectId: string): Promise<PlayerAuth> {
    return this.read(`/projects/${part(projectId)}/player-auth`)
  }

  /** Sets the amount that a month of the project may cost before the service warns; it stops no servers. Rejects with `PROJECT_NOT_FOUND`. */
  setBudget(projectId: string, body: ProjectsSetBudgetBody): Promise<Budget> {
    return this.call('PUT', `/projects/${part(projectId)}/budget`, body)
  }

  /** Returns the budget of the project, with the cost of the present month and its forecast. Rejects with `PROJECT_NOT_FOUND`. */
  budget(projectId: string): Promise<Budget> {
    return this.read(`/projects/${part(projectId)}/budget`)
  }
}

/** Members of the account's projects, and invitations (session). */
export class Members extends Resource {
  /** Lists the members of a project, and its open invitations without their tokens. Rejects with `PROJECT_NOT_FOUND`. */
  list(projectId: string): Promise<ProjectMembers> {
    return this.read(`/projects/${part(projectId)}/members`)
  }

  /** Invites a person to a project; the token works once, for 7 days, and is shown only once. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  invite(projectId: string, body: MembersInviteBody): Promise<MadeInvitation> {
    return this.call('POST', `/projects/${part(projectId)}/members`, body)
  }

  /** Sets the role of a member, and of the server keys that the member created. Rejects with `MEMBER_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  setRole(projectId: string, accountId: string, body: MembersSetRoleBody): Promise<Membership> {
    return this.call('PATCH', `/projects/${part(projectId)}/members/${part(accountId)}`, body)
  }

  /** Removes a member; its sessions, server keys and streams lose the project at once. Rejects with `PLAN_LIMIT_EXCEEDED`, `MEMBER_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  remove(projectId: string, accountId: string, query: {
    /** `revoke`, the default: all server keys of the member are revoked. `hand_over`: those that do not expire become keys of the caller. */
    readonly keys?: 'revoke' | 'hand_over' | undefined
  } = {}): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}/members/${part(accountId)}`, undefined, query)
  }

  /** Cancels an invitation. Rejects with `INVITATION_NOT_FOUND`, `PROJECT_NOT_FOUND`. */
  cancelInvitation(projectId: string, invitationId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}/invitations/${part(invitationId)}`)
  }
}

/** Keys of the account's projects (session). */
export class Keys extends Resource {
  /** Lists the project's keys, including revoked ones, without their values. Rejects with `PROJECT_NOT_FOUND`. */
  list(projectId: string): AsyncGenerator<ApiKey, void, undefined> {
    return this.pages(`/projects/${part(projectId)}/keys`)
  }

  /** Creates a key; its value is shown only once. Rejects with `PLAN_LIMIT_EXCEEDED`, `PROJECT_NOT_FOUND`. */
  mint(projectId: string, body: KeysMintBody): Promise<MintedApiKey> {
    return this.call('POST', `/projects/${part(projectId)}/keys`, body)
  }

  /** Revokes a key: its calls fail at once; servers that it started continue. Rejects with `KEY_NOT_FOUND`, `PROJECT_NOT_FOUND`, `KEY_REVOKED`. */
  revoke(projectId: string, keyId: string): Promise<void> {
    return this.call('DELETE', `/projects/${part(projectId)}/keys/${part(keyId)}`)
  }
}
