import { posix } from 'node:path'
import type { DocsPage } from './pages.ts'

const REPOSITORY = 'https://github.com/matchyard/matchyard/blob/main/'
/** Files of the repository that the service itself serves, with their paths from `/docs/`. */
const SERVED: ReadonlyMap<string, string> = new Map([['docs/openapi.json', '../openapi.json']])

/** A picture that pages show. */
const PICTURE = /\.(?:png|gif|svg|jpe?g|webp)$/

/**
 * Returns a function that translates the links of a page: links to files that have a page lead to that page, pictures to their copies, and
 * other files to the repository. Absolute links and links within the page stay as they are. The source files of pictures are added to
 * `pictures`.
 */
export function linksOf(page: DocsPage, pages: readonly DocsPage[], pictures: Set<string>): (target: string) => string {
  const byFile = new Map(pages.flatMap((one) => namesOf(one).map((name) => [name, one.path])))
  const up = '../'.repeat(page.path.split('/').length - 1)
  return (target) => {
    if (/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(target)) return target
    const [file = '', anchor] = target.split('#')
    const source = posix.join(posix.dirname(page.source), decodeURI(file)).replace(/\/$/, '')
    const end = anchor === undefined ? '' : `#${anchor}`
    const path = byFile.get(source)
    if (path !== undefined) return `${up}${path}${end}`
    if (PICTURE.test(source)) {
      pictures.add(source)
      return `${up}${pictureOf(source)}`
    }
    const served = SERVED.get(source)
    return served === undefined ? `${REPOSITORY}${source}${end}` : `${up}${served}`
  }
}

/** Returns the path of the copy of a picture, below `/docs/`. */
export const pictureOf = (source: string): string => `pictures/${posix.basename(source)}`

/** Returns the paths by which links name a page: its file, and the folder of a README. */
function namesOf({ source }: DocsPage): readonly string[] {
  const folder = posix.dirname(source)
  return posix.basename(source) === 'README.md' && folder !== '.' ? [source, folder] : [source]
}
