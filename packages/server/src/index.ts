export { type Listening, listen } from './service/listen'
export { createLogger } from './service/logging'
export { type Service, type ServiceOptions, startService } from './service/service'
export { ConfigurationError, storageOf } from './service/storage-url'
