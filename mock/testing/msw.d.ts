// What this project uses of MSW, which it does not install: its types are those of the app that does.
declare module 'msw' {
  export type HttpHandler = { readonly info: object };
  export const http: {
    readonly all: (
      path: RegExp,
      resolver: (info: { readonly request: Request }) => Promise<Response>,
    ) => HttpHandler;
  };
  export const HttpResponse: { readonly error: () => Response };
}
