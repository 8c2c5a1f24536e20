import { render } from 'preact';
import { App } from './app.tsx';
import { GraphModel } from './model.ts';
import './graph.css';

const place = document.querySelector('#graph');
if (place) render(<App model={new GraphModel(acquireVsCodeApi(), window)} />, place);
