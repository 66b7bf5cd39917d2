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
  /** Status of success. */
  readonly successStatus: number;
  /** Takes the `traceparent` header of W3C Trace Context. */
  readonly acceptsTraceparent: boolean;
  /** Needs the `model` header, which names the model that speaks. A transcription may have one, too. */
  readonly requiresModel: boolean;
  /** Costs credit, so it is never repeated without the caller's word. */
  readonly billed: boolean;
  /** Marked beta by the interface. */
  readonly beta: boolean;
  /** Lives below the WebSocket base URL. */
  readonly webSocket: boolean;
}
