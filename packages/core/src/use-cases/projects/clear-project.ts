import { clearBuild } from '../../build/decide'
import { MAX_INVITATIONS, MAX_MEMBERS, PAGE_LIMIT } from '../../catalog/limits'
import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { ofBuild } from '../../commit/of-build'
import { ofLobby } from '../../commit/of-lobby'
import { endKey } from '../../commit/rows/api-key'
import { endInvitations, endMember } from '../../commit/rows/member'
import { change, transact } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import { MAX_KEPT_PROBLEMS } from '../../problem/kept-problem'
import type { Project } from '../../project/project'
import { secretId, secretsOf } from '../../project/secret'
import { versionsOf } from '../../reads/queue-versions'
import type { Page, PageRequest } from '../../shared/page'

/**
 * Removes what is left of a deleted project: lobbies, keys, members, webhooks, queues, builds, secrets, bans, ratings. Each removal is a commit of its own that reads the
 * present state. A run may thus stop at any point, and a later run continues.
 */
export async function clearProject(ctx: Service, projectId: string): Promise<void> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt === null) return
  // Lobbies are deleted before the keys are revoked. Revoking a key ends its streams, and the readers of the streams should get
  // `lobby_deleted` first.
  await untilEmpty(
    (page) => ctx.storage.lobbies.browse({ projectId, includePrivate: true, sort: 'created_at_asc', ...page }),
    (lobby) => endLobby(ctx, projectId, lobby.id),
  )
  await revokeKeys(ctx, projectId)
  await removeMembers(ctx, projectId)
  for (const { webhookId } of project.listeners ?? []) await endWebhook(ctx, webhookId)
  await clearConsumers(ctx, project)
  for (const { name } of secretsOf(project)) await endSecret(ctx, secretId(projectId, name))
  await untilEmpty(
    (page) => ctx.storage.queues.list(projectId, page),
    (queue) => removeQueue(ctx, queue.id),
  )
  await untilEmpty(
    (page) => ctx.storage.builds.list({ projectId, ...page }),
    (build) => change(ctx, ofBuild, build.id, (now) => accept(...clearBuild(now))),
  )
  await removeBans(ctx, projectId)
  await removeProblems(ctx, projectId)
  await untilEmpty(
    (page) => ctx.storage.ratings.list(projectId, page),
    (rating) => endRating(ctx, rating.id),
  )
}

const clearConsumers = (ctx: Service, { id, consumers = [] }: Project) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    for (const { name } of consumers) draft.job(...followUps.consumerRemoved(id, name, draft.at))
    return { draft, answer: undefined }
  })

const endSecret = (ctx: Service, id: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const secret = await ctx.storage.get('secret', id)
    if (secret !== undefined) draft.remove('secret', secret)
    return { draft, answer: undefined }
  })

// A job removes the standings of the rating.
const endRating = (ctx: Service, id: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const rating = await ctx.storage.get('rating', id)
    if (rating !== undefined) draft.remove('rating', rating).job(...followUps.ratingDeleted(rating, draft.at))
    return { draft, answer: undefined }
  })

// The number of bans in the row of a deleted project has no further use, so the row stays.
async function removeBans(ctx: Service, projectId: string): Promise<void> {
  for (;;) {
    const bans = await ctx.storage.bans.list({ projectId, limit: PAGE_LIMIT.max })
    if (bans.length === 0) return
    await Promise.all(bans.map(({ id }) => removeBan(ctx, id)))
  }
}

const removeBan = (ctx: Service, id: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ban = await ctx.storage.get('ban', id)
    if (ban !== undefined) draft.remove('ban', ban)
    return { draft, answer: undefined }
  })

/** Handles every item of a list until the list is empty. A handled item leaves the list, so each round reads the first page again. */
async function untilEmpty<T>(list: (page: PageRequest) => Promise<Page<T>>, end: (item: T) => Promise<unknown>) {
  for (;;) {
    const { data } = await list({ limit: PAGE_LIMIT.max, offset: 0 })
    if (data.length === 0) return
    await Promise.all(data.map(end))
  }
}

const removeProblems = (ctx: Service, projectId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    for (const row of await ctx.storage.problems.ofProject(projectId, MAX_KEPT_PROBLEMS)) draft.remove('problem', row)
    return { draft, answer: undefined }
  })

// A bounded number of rows, read again after each commit that failed because of another change.
const removeMembers = (ctx: Service, projectId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    for (const member of await ctx.storage.members.ofProject(projectId, MAX_MEMBERS)) endMember(draft, member)
    endInvitations(draft, projectId, await ctx.storage.invitations.ofProject(projectId, MAX_INVITATIONS))
    return { draft, answer: undefined }
  })

// Removes the keys. They are already refused because their project is deleted; removing their rows also ends open streams.
async function revokeKeys(ctx: Service, projectId: string): Promise<void> {
  const { total } = await ctx.storage.apiKeys.list(projectId, { limit: 1, offset: 0 })
  // The last page is read first: a key that expires meanwhile is removed, and the keys after it move to an earlier page.
  for (let page = Math.ceil(total / PAGE_LIMIT.max) - 1; page >= 0; page--) {
    const offset = page * PAGE_LIMIT.max
    const { data } = await ctx.storage.apiKeys.list(projectId, { limit: PAGE_LIMIT.max, offset })
    await Promise.all(data.map(({ id }) => revoke(ctx, id)))
  }
}

const revoke = (ctx: Service, keyId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const key = await ctx.storage.get('api-key', keyId)
    if (key !== undefined) endKey(draft, key)
    return { draft, answer: undefined }
  })

async function endLobby(ctx: Service, projectId: string, lobbyId: string): Promise<void> {
  if ((await ctx.storage.get('lobby', lobbyId)) === undefined) return
  const deleted = accept({ type: 'lobby_deleted', reason: 'project_deleted' } as const)
  await change(ctx, ofLobby, { projectId, lobbyId }, () => deleted)
}

const removeQueue = (ctx: Service, queueKey: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const queue = await ctx.storage.get('queue', queueKey)
    if (queue !== undefined) {
      draft.remove('queue', queue)
      for (const version of await versionsOf(ctx, queue)) draft.remove('queue-version', version)
    }
    return { draft, answer: undefined }
  })

// A deleted project sends no messages. Without their webhook, pending deliveries are given up.
const endWebhook = (ctx: Service, webhookId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const webhook = await ctx.storage.get('webhook', webhookId)
    if (webhook !== undefined) draft.remove('webhook', webhook)
    return { draft, answer: undefined }
  })
