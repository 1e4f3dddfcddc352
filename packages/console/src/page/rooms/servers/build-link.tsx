import { href } from '../../data/route'
import { Text } from '../../ui'
import { type Built, buildOf } from './build-of'

/** Link to the build version that a server runs. */
export function BuildLink({ of }: { readonly of: Built }) {
  const { version_tag, build_id } = of
  return (
    <a href={build_id === null ? href('builds', version_tag) : href('builds', version_tag, build_id)}>
      <Text>{buildOf(of)}</Text>
    </a>
  )
}
