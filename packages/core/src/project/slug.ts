const MAX_SLUG_LENGTH = 48
/** Stands in where a name holds no letter or digit that a slug can carry. */
const NAMELESS = 'project'

/** A name as it can stand in a URL: lower case, without accents, words joined by dashes. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const slug = words
    .slice(0, MAX_SLUG_LENGTH + 1)
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-$/, '')
  return slug === '' ? NAMELESS : slug
}

/** The n-th slug to try for a name: `arena`, `arena-2`, `arena-3` … */
export const numberedSlug = (slug: string, n: number): string => (n === 1 ? slug : `${slug}-${n}`)
