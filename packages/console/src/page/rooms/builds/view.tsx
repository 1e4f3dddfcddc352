import type { RoomView } from '../room'
import { BuildList } from './list'
import { NamePage } from './name-page'

/** Section of the builds: the programs that game servers run. */
export function View({ path: [name, chosen] }: RoomView) {
  return name === undefined ? <BuildList /> : <NamePage key={name} name={name} chosen={chosen} />
}
