import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { replayed } from '../../commit/idempotency'
import type { Outcome } from '../../commit/outcome'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { AddressRefused } from '../../ports/guarded-fetch'
import type { Ports } from '../../ports/ports'
import {
  issuerOf,
  NO_PLAYER_AUTH,
  type PlayerAuth,
  type PlayerAuthMode,
  type PlayerIssuer,
  readsTokens,
} from '../../project/player-auth'
import { type PlayerAuthWish, playerAuthFaults } from '../../project/player-auth-faults'
import { requireOwnProject } from '../../reads/require'
import { base64Url } from '../../shared/base64-url'
import { sameText } from '../../shared/json'
import { issuerSecret } from '../../tokens/prove-player'

/** Project, addressed by the account that must own it. */
export interface OnOwnProject {
  /** Account that owns the project: `acc_` and a ULID. */
  readonly accountId: string
  /** Id of the project: `prj_` and a ULID. */
  readonly projectId: string
}

/** Setting of how the players of a project prove their identity. */
export interface SetPlayerAuthInput extends OnOwnProject, PlayerAuthWish {}

/** Issuer as the API shows it. Its secret is present only in the answer to the call that generated the secret. */
export interface ShownIssuer extends PlayerIssuer {
  /** Secret: 32 bytes as base64url. HS256 signs with the bytes. */
  readonly secret?: string
}

/** How players of a project prove their identity, as the API shows it. */
export interface ShownPlayerAuth {
  /** `trusted`: the game names the player. `signed`: a token of an issuer names the player. */
  readonly mode: PlayerAuthMode
  /** Issuers of the project's player tokens. */
  readonly issuers: readonly ShownIssuer[]
}

/**
 * Sets how the project's players prove their identity. The setting takes effect on every node when the call returns. For each issuer with
 * `generateSecret`, a secret is generated, and only this call returns it. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED,
 * WEBHOOK_ADDRESS_REFUSED.
 */
export async function setPlayerAuth(
  ctx: Service,
  input: SetPlayerAuthInput,
  call?: CallOptions,
): Promise<ShownPlayerAuth> {
  // A repeated call is answered before the rows are read, because the rows may have changed since the original call.
  const again = () => authOf(ctx, input)
  const known = await unavailableInsteadOf(() => replayed<ShownPlayerAuth>(ctx, call, again))
  if (known !== undefined) return known.answer
  await unavailableInsteadOf(async () => judge(input, await authOf(ctx, input)))
  await checkAddresses(ctx, input)
  const set = async (): Promise<Outcome<ShownPlayerAuth>> => {
    const project = await requireOwnProject(ctx, input)
    const before = project.playerAuth ?? NO_PLAYER_AUTH
    judge(input, before)
    const drawn = new Set<string>()
    const newSecretId = () => {
      const id = ctx.ids.next('sec')
      drawn.add(id)
      return id
    }
    const issuers = (input.issuers ?? []).map((wish) =>
      issuerOf(
        wish,
        before.issuers.find(({ issuer }) => issuer === wish.issuer),
        newSecretId,
      ),
    )
    const auth: PlayerAuth = { mode: input.mode, issuers }
    const draft = new Draft(ctx.clock.now())
    if (!sameText(asJson(before), asJson(auth))) {
      const { playerAuth: _, ...rest } = project
      const next = readsTokens(auth) ? { ...rest, playerAuth: auth } : rest
      draft.update('project', project, { ...next, updatedAt: draft.at })
    }
    const shown = issuers.map((issuer) => withSecret(ctx, project.id, issuer, drawn))
    return { draft, answer: { ...auth, issuers: shown }, recorded: auth, about: { id: project.id } }
  }
  return transact(ctx, call, set, again)
}

export function getPlayerAuth(ctx: Ports, input: OnOwnProject): Promise<ShownPlayerAuth> {
  return unavailableInsteadOf(() => authOf(ctx, input))
}

const authOf = async (ctx: Ports, input: OnOwnProject): Promise<PlayerAuth> =>
  (await requireOwnProject(ctx, input)).playerAuth ?? NO_PLAYER_AUTH

function judge(input: SetPlayerAuthInput, before: PlayerAuth): void {
  const issues = playerAuthFaults(input, before)
  if (issues.length > 0) throw validationFailed(issues)
}

/**
 * Throws WEBHOOK_ADDRESS_REFUSED for a URL that the address policy forbids. The policy is checked here, and again at each request to the
 * URL.
 */
async function checkAddresses(ctx: Ports, { issuers = [] }: SetPlayerAuthInput): Promise<void> {
  for (const { issuer, jwksUrl } of issuers) {
    if (jwksUrl === undefined) continue
    try {
      await ctx.guardedFetch.check(jwksUrl, ctx.settings.addressPolicy)
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      throw new ServiceError(
        'WEBHOOK_ADDRESS_REFUSED',
        `the keys of the issuer ${issuer} cannot be loaded from this URL: ${error.reason}`,
      )
    }
  }
}

function withSecret(ctx: Ports, projectId: string, issuer: PlayerIssuer, drawn: ReadonlySet<string>): ShownIssuer {
  if (issuer.keys.kind !== 'secret' || !drawn.has(issuer.keys.secretId)) return issuer
  return { ...issuer, secret: base64Url(issuerSecret(ctx, projectId, issuer.keys.secretId)) }
}

const asJson = (auth: PlayerAuth) => JSON.parse(JSON.stringify(auth)) as never
