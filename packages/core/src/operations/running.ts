import type { Directors } from '../director/directors'
import type { Service } from '../node/service'
import type { NodeStreams } from '../streams/index'
import type { ProposalAnswers } from '../use-cases/lobbies/proposal-answers'
import type { QuickJoins } from '../use-cases/lobbies/quick-join'

/** Running service, as its operations see it: the ports, the node's state, and the parts below. */
export interface Running extends Service {
  readonly streams: NodeStreams
  readonly directors: Directors
  readonly quickJoins: QuickJoins
  readonly answers: ProposalAnswers
}
