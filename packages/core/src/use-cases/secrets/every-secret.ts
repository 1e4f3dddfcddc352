import type { Account } from '../../account/account'
import { PAGE_LIMIT } from '../../catalog/limits'
import type { Ports } from '../../ports/ports'
import { type Secret, secretId, secretsOf } from '../../project/secret'

/** Reads all accounts, page by page. The memory that this needs does not grow with the number of accounts. */
export async function* everyAccount(ctx: Ports): AsyncGenerator<Account> {
  for (let offset = 0, total = 1; offset < total; offset += PAGE_LIMIT.max) {
    const page = await ctx.storage.accounts.list({ limit: PAGE_LIMIT.max, offset })
    total = page.total
    yield* page.data
  }
}

/** Reads the secrets of all projects, account by account. The memory that this needs does not grow with the number of accounts. */
export async function* everySecret(ctx: Ports): AsyncGenerator<Secret> {
  for await (const { id } of everyAccount(ctx)) yield* secretsOfAccount(ctx, id)
}

async function* secretsOfAccount(ctx: Ports, accountId: string): AsyncGenerator<Secret> {
  for (const project of await ctx.storage.projects.listAll(accountId)) {
    const ids = secretsOf(project).map(({ name }) => secretId(project.id, name))
    if (ids.length > 0) yield* await ctx.storage.getMany('secret', ids)
  }
}
