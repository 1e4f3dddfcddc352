import { href } from '../../data/route'
import { Text } from '../../ui'
import { type Built, buildOf } from './build-of'

/** The build of a server, which leads to the version that it runs. */
export function BuildLink({ of }: { readonly of: Built }) {
  const { version_tag, build_id } = of
  return (
    <a href={build_id === null ? href('builds', version_tag) : href('builds', version_tag, build_id)}>
      <Text>{buildOf(of)}</Text>
    </a>
  )
}
