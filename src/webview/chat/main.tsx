import { render } from 'preact';
import './chat.css';
import { type VsCodeApi, connectHost } from './host.ts';
import { ChatModel } from './model.ts';
import { App } from './view/app.tsx';

declare const acquireVsCodeApi: () => VsCodeApi;

const host = connectHost(acquireVsCodeApi(), window);
const place = document.querySelector('#chat');
if (place) render(<App model={new ChatModel(host)} host={host} />, place);
