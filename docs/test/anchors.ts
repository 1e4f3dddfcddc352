import GithubSlugger from 'github-slugger'
import { withoutBlocks } from './pages'

/** Returns the anchors of a text by GitHub's rules: its headings, and anchors set by hand. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const prose = withoutBlocks(text)
  const slugger = new GithubSlugger()
  const headings = [...prose.matchAll(/^#{1,6} +(.*?) *#*$/gm)].map(([, title = '']) =>
    slugger.slug(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')),
  )
  const set = [...prose.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...set])
}
