import type { Rating } from '@matchyard/client/admin'
import { number } from '../../ui/words'

/** Uncertainty of the example player, as a share of the uncertainty of a new player. */
const EXAMPLE_SHARE = 0.2

/**
 * Returns, for a good and certain player, the displayed number and its uncertainty before and after the start of a
 * season that keeps the share `keep`. Undefined for an invalid share.
 */
export function exampleOf(
  { display: { base, per_sigma } }: Pick<Rating, 'display'>,
  keep: number,
): { readonly before: string; readonly after: string } | undefined {
  if (!(keep >= 0 && keep <= 1)) return undefined
  const textOf = (value: number, uncertainty: number) =>
    `${number(Math.round(value))} ± ${number(Math.round(uncertainty))}`
  const uncertainty = per_sigma * EXAMPLE_SHARE
  return {
    before: textOf(base + per_sigma, uncertainty),
    after: textOf(base + keep * per_sigma, uncertainty + (1 - keep) * (per_sigma - uncertainty)),
  }
}
