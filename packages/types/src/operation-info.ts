/** One row of the table of operations. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Template relative to the base URL, such as `/model/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** Section of the interface that describes the operation. */
  readonly section: string;
  /** Media types of the request body, the usual one first; empty if there is no body. */
  readonly requestMediaTypes: readonly string[];
  /** Media types of the success body; empty where there is none. */
  readonly responseMediaTypes: readonly string[];
  /** Status of a success. */
  readonly successStatus: number;
  /** True if it takes the `traceparent` header of W3C Trace Context. */
  readonly acceptsTraceparent: boolean;
  /** True if it needs the `model` header for the speaking model. A transcription may have one too. */
  readonly requiresModel: boolean;
  /** True if it costs credit, so that it is never repeated unasked. */
  readonly billed: boolean;
  /** True if the interface marks it as beta. */
  readonly beta: boolean;
  /** True if its path is below the WebSocket base URL. */
  readonly webSocket: boolean;
}
