export { LABEL } from '../labels'
export { type OwnEngine, ownEngine, type TestEngine, testEngine } from './engine'
export { type DockerHarness, type DockerUnderTest, dockerHarness } from './harness'
export { ensureNodeImage, type ImageFile, type ImageMaking, makeImage, makeNodeImage, NODE_IMAGE } from './images'
