import type { RuleId } from '../rules/index'

/** Rules that do not hold through the release before and this one, and why. Whoever moves RELEASE_BEFORE begins with none (ADR 161). */
export const LEFT_OUT: { readonly [Id in RuleId]?: string } = {
  'C-5-08': 'the statistics of that release do not have `warm`: no queue kept servers ready',
  'C-2-21': 'that release counts failed logins by account alone, from wherever they come',
  'C-3-15': 'that release tells a usage without `has_more`, and two answers are compared',
  'C-3-16': 'that release tells a usage without `has_more`',
  'C-6-37': 'that release shows whoever knows its id all of a private lobby',
  'C-8-05': 'that release tells logs without `has_more`',
  'S-BIL-09': 'that release tells a usage without `has_more`',
  'C-6-50': 'that release refuses unknown invite codes past the limit of a project, and right ones with them',
}
