const MAX_SLUG_LENGTH = 48
/** Slug of a project whose name has no letters or digits that a slug can contain. */
const NAMELESS = 'project'

/** Returns the form of a name for URLs: lower case, without accents, words joined by dashes, at most 48 characters. */
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

/** Returns the n-th slug to try for a name: `arena`, `arena-2`, `arena-3` … */
export const numberedSlug = (slug: string, n: number): string => (n === 1 ? slug : `${slug}-${n}`)
