using System;
using System.Collections.Generic;
using System.Text;

namespace Matchyard
{
    /// <summary>Reads Server-Sent Events from pieces of any size.</summary>
    internal sealed class EventStreamReader
    {
        /// <summary>Maximum bytes of a message; no message of the service is larger.</summary>
        private const int LongestMessage = 4 * 1024 * 1024;

        private readonly Action<string, string, string> onEvent;
        private readonly List<byte> line = new List<byte>();
        private readonly StringBuilder data = new StringBuilder();
        private string name;
        private string id;
        private bool hasData;
        private bool isAfterReturn;

        /// <param name="onEvent">Called with the name, the id (null without one) and the data of an event.</param>
        public EventStreamReader(Action<string, string, string> onEvent)
        {
            this.onEvent = onEvent;
        }

        public void Take(ArraySegment<byte> bytes)
        {
            for (var i = bytes.Offset; i < bytes.Offset + bytes.Count; i++)
            {
                var one = bytes.Array[i];
                // A line ends with a carriage return, with a line feed, or with a carriage return and a line feed.
                var isSecondHalf = isAfterReturn && one == '\n';
                isAfterReturn = one == '\r';
                if (isSecondHalf) continue;
                if (one == '\n' || one == '\r') EndLine();
                else line.Add(one);
                if (line.Count + data.Length > LongestMessage) throw new FormatException("an event is too long");
            }
        }

        private void EndLine()
        {
            var text = Encoding.UTF8.GetString(line.ToArray());
            line.Clear();
            if (text.Length == 0)
            {
                EndEvent();
                return;
            }
            var colon = text.IndexOf(':');
            // A line that begins with a colon is a comment that keeps the connection open.
            if (colon == 0) return;
            var field = colon < 0 ? text : text.Substring(0, colon);
            var value = colon < 0 ? "" : text.Substring(colon + 1);
            if (value.StartsWith(" ", StringComparison.Ordinal)) value = value.Substring(1);
            if (field == "event") name = value;
            if (field == "id") id = value;
            if (field != "data") return;
            if (hasData) data.Append('\n');
            data.Append(value);
            hasData = true;
        }

        private void EndEvent()
        {
            var wasName = name;
            var wasId = id;
            var text = data.ToString();
            var isEvent = hasData;
            name = null;
            id = null;
            hasData = false;
            data.Length = 0;
            if (isEvent) onEvent(wasName ?? "message", wasId, text);
        }
    }
}
