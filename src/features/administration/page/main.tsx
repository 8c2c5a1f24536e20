import { render } from 'preact';
import { App } from './app.tsx';
import { FormModel } from './model.ts';
import './form.css';

const place = document.querySelector('#form');
if (place) render(<App model={new FormModel(acquireVsCodeApi(), window)} />, place);
