import type { FactorSeals, SecretSeals } from '@matchyard/core'

/** Losses without the earlier secret, besides the secrets of projects. */
const LOST = [
  'sessions, upload URLs, cursors and the tokens of running game servers are refused',
  'running game servers refuse new join tokens; servers of later matches accept them',
  'every webhook has another secret: call POST /v1/webhooks/{webhook_id}/rotate-secret for each one',
  'every generated secret of a player issuer is another one: call PUT /v1/projects/{project_id}/player-auth with generate_secret',
]

const unreadable = (count: number): string =>
  count === 0 ? '' : `${counted(count)} cannot be opened any more: set them again with PUT /v1/secrets/{name}\n`

const counted = (count: number): string => `${count} ${count === 1 ? 'secret' : 'secrets'} of projects`

/** Returns the lines about the second factors of accounts that the secret in force does not open. */
const factorLines = ({ other, unreadable: lost }: FactorSeals): string =>
  (other === 0 ? '' : `${factorsOf(other)} can be opened only with the other secret: run matchyard secret --change\n`) +
  (lost === 0
    ? ''
    : `${factorsOf(lost)} cannot be opened any more: recovery codes still work, and matchyard accounts remove-second-factor removes one\n`)

const factorsOf = (count: number): string => `${count} second ${count === 1 ? 'factor' : 'factors'} of accounts`

/** Returns the lines about the secrets of projects for `matchyard secret`; an empty text when the present secret opens all. */
export const sealsNow = ({ other, unreadable: lost, factors }: SecretSeals): string =>
  (other === 0 ? '' : `${counted(other)} can be opened only with the other secret\n`) +
  unreadable(lost) +
  factorLines(factors)

/** Returns the lines at the end of a change of the secret. */
export const sealsAfterChange = ({ current, other, unreadable: lost, factors }: SecretSeals): string =>
  (other > 0
    ? `${counted(other)} can still be opened only with the previous secret: run matchyard secret --change again\n${unreadable(lost)}`
    : `the new secret opens ${counted(current)}, and the previous one is needed for none\n${unreadable(lost)}`) +
  factorLines(factors)

/** Returns the lines about the losses after the acceptance of a secret in place of a lost one. */
export const lostWith = ({ unreadable: lost, factors }: SecretSeals): string =>
  `What is lost with the earlier secret:\n${LOST.map((line) => `- ${line}\n`).join('')}${lost === 0 ? '' : `- ${unreadable(lost)}`}${factors.unreadable === 0 ? '' : `- ${factorLines(factors)}`}`
