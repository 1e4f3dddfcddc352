import type { RuleId } from '../rules/index'

/** Rules that do not hold through the release before and this one, and why. Whoever moves RELEASE_BEFORE begins with none (ADR 161). */
export const LEFT_OUT: { readonly [Id in RuleId]?: string } = {
  'C-5-08': 'the statistics of that release do not have `warm`: no queue kept servers ready',
  'C-2-21': 'that release counts failed logins by account alone, from wherever they come',
  'C-6-50': 'that release refuses unknown invite codes past the limit of a project, and right ones with them',
}
